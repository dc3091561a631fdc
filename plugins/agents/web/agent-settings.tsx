import { Button, Divider, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, Loaded, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AgentDraft } from './agent-fields.tsx'
import { AgentFields } from './agent-fields.tsx'
import { agentQuery, knowledgebaseQuery } from './queries.ts'

/** What the agent is, its always-on context, and its end. */
export default function AgentSettings({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId))
  const knowledgebase = useQuery(knowledgebaseQuery(agentId))
  return (
    <Stack gap="xl" maw={760}>
      <Loaded query={agent}>
        {(agent) => <AgentForm key={agent.version} agentId={agentId} initial={agent} />}
      </Loaded>
      <Divider />
      <Loaded query={knowledgebase}>
        {({ content, version }) => <ContextForm key={version} agentId={agentId} initial={content} />}
      </Loaded>
      <Divider />
      <Removal agentId={agentId} />
    </Stack>
  )
}

function AgentForm({ agentId, initial }: { agentId: string; initial: AgentDraft }) {
  const { name, instructions, modelProvider, modelId } = initial
  const [draft, setDraft] = useState<AgentDraft>({ name, instructions, modelProvider, modelId })
  const saving = useAction({
    run: (body: AgentDraft) => api.put('/v1/agents/{agentId}', { params: { path: { agentId } }, body }),
    changes: [['agents']],
    done: 'The agent is saved'
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(draft)
      }}
    >
      <Stack>
        <AgentFields draft={draft} onChange={setDraft} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ContextForm({ agentId, initial }: { agentId: string; initial: string }) {
  const [content, setContent] = useState(initial)
  const saving = useAction({
    run: (content: string) =>
      api.put('/v1/agents/{agentId}/knowledgebase', { params: { path: { agentId } }, body: { content } }),
    changes: [['agents', agentId, 'knowledgebase']],
    done: 'The always-on context is saved'
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(content)
      }}
    >
      <Stack>
        <Textarea
          label="Always-on context"
          description="Facts that stand in every prompt of the agent."
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
          autosize
          minRows={3}
          maxRows={20}
          maxLength={200_000}
        />
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending}>
            Save the context
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Removal({ agentId }: { agentId: string }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/agents/{agentId}', { params: { path: { agentId } } }),
    changes: [['agents', 'list']],
    done: 'The agent is deleted',
    onDone: () => navigate('/agents')
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Delete the agent
      </Title>
      <Text size="sm" c="dimmed">
        Its sessions, runs, memories and schedules go with it.
      </Text>
      <ConfirmButton
        title="Delete this agent?"
        warning="Its sessions, runs, memories and schedules are deleted with it. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete agent
      </ConfirmButton>
    </Stack>
  )
}
