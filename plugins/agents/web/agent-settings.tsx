import { Button, Divider, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, Form, Loaded, useAction, useDraft } from 'agent-platform/console'
import type { Agent, Schemas } from 'agent-platform-client'
import { useLocation } from 'wouter'
import type { AgentDraft } from './agent-fields.tsx'
import { AgentFields } from './agent-fields.tsx'
import { agentQuery, knowledgebaseQuery } from './queries.ts'

type Knowledgebase = Schemas['Knowledgebase']

/** What the agent is, its always-on context, and its end. */
export default function AgentSettings({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId))
  const knowledgebase = useQuery(knowledgebaseQuery(agentId))
  return (
    <Stack gap="xl" maw={760}>
      <Loaded query={agent}>{(agent) => <AgentForm agent={agent} />}</Loaded>
      <Divider />
      <Loaded query={knowledgebase}>{(context) => <ContextForm context={context} />}</Loaded>
      <Divider />
      <Removal agentId={agentId} />
    </Stack>
  )
}

function AgentForm({ agent }: { agent: Agent }) {
  const draft = useDraft(
    `agent ${agent.id}`,
    agent,
    ({ name, instructions, modelProvider, modelId, temperature, maxTokens, options }): AgentDraft => ({
      name,
      instructions,
      modelProvider,
      modelId,
      temperature,
      maxTokens,
      options
    })
  )
  const saving = useAction({
    run: (body: AgentDraft) =>
      api.put('/v1/agents/{agentId}', {
        params: { path: { agentId: agent.id } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body
      }),
    changes: [['agents']],
    draft,
    done: 'The agent is saved'
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
      <Stack>
        <AgentFields draft={draft.value} onChange={draft.set} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function ContextForm({ context }: { context: Knowledgebase }) {
  const { agentId } = context
  const draft = useDraft(`context ${agentId}`, context, ({ content }) => ({ content }))
  const saving = useAction({
    run: (body: { content: string }) =>
      api.put('/v1/agents/{agentId}/knowledgebase', {
        params: { path: { agentId } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body
      }),
    changes: [['agents', agentId, 'knowledgebase']],
    draft,
    done: 'The always-on context is saved'
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
      <Stack>
        <Textarea
          label="Always-on context"
          description="Facts that stand in every prompt of the agent."
          value={draft.value.content}
          onChange={({ currentTarget }) => draft.set({ content: currentTarget.value })}
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
    </Form>
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
