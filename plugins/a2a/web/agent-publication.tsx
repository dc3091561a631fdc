import { Anchor, Button, Card, Group, MultiSelect, Stack, Text, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, ErrorNotice, Form, Loaded, StatusBadge, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { PeerTasks } from './peer-tasks.tsx'
import type { Publication } from './queries.ts'
import { publicationQuery, toolsQuery } from './queries.ts'

/** Whether other agents may know of this one, what its card says, and what they gave it to do. */
export default function AgentPublication({ agentId }: { agentId: string }) {
  const publication = useQuery(publicationQuery(agentId))
  return (
    <Stack gap="xl">
      <Loaded query={publication}>
        {(publication) => (
          <PublicationForm key={publication?.version ?? 0} agentId={agentId} publication={publication} />
        )}
      </Loaded>
      <PeerTasks agentId={agentId} />
    </Stack>
  )
}

function PublicationForm({ agentId, publication }: { agentId: string; publication: Publication | null }) {
  const [description, setDescription] = useState(publication?.description ?? '')
  const [shown, setShown] = useState<string[]>(publication?.tools ?? [])
  const { data: tools = [] } = useQuery(toolsQuery(agentId))
  const path = { agentId }
  const publishing = useAction({
    run: () =>
      api.put('/v1/a2a/{agentId}/publication', {
        params: { path },
        body: { description: description.trim() || null, tools: shown }
      }),
    changes: [['a2a', agentId]],
    done: publication ? 'The card is changed' : 'The agent is published',
    isQuiet: true
  })
  const ending = useAction({
    run: () => api.delete('/v1/a2a/{agentId}/publication', { params: { path } }),
    changes: [['a2a', agentId]],
    done: 'The agent is not published any more'
  })
  return (
    <Card withBorder padding="lg">
      <Form action={publishing} onSubmit={() => publishing.mutate()}>
        <Stack gap="md">
          <Group gap="sm">
            <Title order={2} size="h5">
              Publication
            </Title>
            <StatusBadge status={publication ? 'published' : 'off'} />
          </Group>
          <Text size="sm" c="dimmed">
            A published agent has a card that everyone can read. Tasks are taken from callers who may run the
            agent: give them a key for that.
          </Text>
          {publication && (
            <Text size="sm">
              Its{' '}
              <Anchor
                href={`/v1/a2a/${agentId}/.well-known`}
                target="_blank"
                rel="noreferrer"
                underline="always"
              >
                card
              </Anchor>
              , for clients of the Agent2Agent protocol
            </Text>
          )}
          <Textarea
            label="Description"
            description="What the card says of the agent. Its instructions are never shown."
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            maxLength={2_000}
            autosize
            minRows={2}
          />
          <MultiSelect
            label="Tools to show"
            description="As skills of the card, by name and description."
            data={tools.map(({ toolId, toolName }) => ({ value: toolId, label: toolName }))}
            value={shown}
            onChange={setShown}
            searchable
          />
          {publishing.error ? <ErrorNotice error={publishing.error} /> : null}
          <Group justify="flex-end">
            {publication && (
              <ConfirmButton
                title="End the publication?"
                warning="The card is gone at once, and no task is taken any more. Those under way go on."
                onClick={() => ending.mutate()}
                loading={ending.isPending}
              >
                End publication
              </ConfirmButton>
            )}
            <Button type="submit" loading={publishing.isPending}>
              {publication ? 'Save card' : 'Publish agent'}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  )
}
