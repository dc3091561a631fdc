import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import {
  api,
  ConfirmButton,
  EmptyState,
  ListView,
  StatusBadge,
  TimeAgo,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Plus, Target } from 'lucide-react'
import { GoalForm } from './goal-form.tsx'

type Goal = Schemas['Goal']

/** What an agent is working towards. Which one is edited stands in the address. */
export default function AgentGoals({ agentId }: { agentId: string }) {
  const { search, change } = useAddress()
  const list = useList(
    ['goals', agentId],
    (cursor, signal) => api.get('/v1/goals', { params: { query: { limit: 50, cursor, agentId } }, signal }),
    { refresh: 15_000 }
  )
  const edited = search.get('goal')
  const close = () => change({ goal: null })
  const create = (
    <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ goal: 'new' })}>
      New goal
    </Button>
  )
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Goals
        </Title>
        {create}
      </Group>
      <ListView
        list={list}
        empty={
          <EmptyState icon={Target} title="This agent has no goals" action={create}>
            Open goals stand in every prompt of the agent, which can report how far along it is.
          </EmptyState>
        }
      >
        {(goals) => (
          <>
            {goals.map((goal) => (
              <GoalCard key={goal.id} goal={goal} onEdit={() => change({ goal: goal.id })} />
            ))}
            <GoalForm
              agentId={agentId}
              goal={goals.find(({ id }) => id === edited)}
              isOpen={goals.some(({ id }) => id === edited)}
              onClose={close}
            />
          </>
        )}
      </ListView>
      <GoalForm agentId={agentId} isOpen={edited === 'new'} onClose={close} />
    </Stack>
  )
}

function GoalCard({ goal, onEdit }: { goal: Goal; onEdit: () => void }) {
  const { id, agentId, title, description, status, progress, updatedAt } = goal
  const removing = useAction({
    run: () => api.delete('/v1/goals/{goalId}', { params: { path: { goalId: id } } }),
    changes: [['goals', agentId]],
    done: 'The goal is deleted'
  })
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Group gap="sm" miw={0} flex={1}>
            <Title order={3} size="h6" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <StatusBadge status={status} />
          </Group>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={onEdit}>
              Edit
            </Button>
            <ConfirmButton
              size="compact-sm"
              title="Delete this goal?"
              warning="The agent no longer sees it. This cannot be undone."
              onClick={() => removing.mutate()}
              loading={removing.isPending}
            >
              Delete
            </ConfirmButton>
          </Group>
        </Group>
        {description && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        <Group gap="sm" wrap="nowrap">
          <Progress value={progress} flex={1} aria-label={`Progress of ${title}`} />
          <Text size="sm">{progress} %</Text>
        </Group>
        <Text size="xs" c="dimmed">
          Changed <TimeAgo at={updatedAt} />
        </Text>
      </Stack>
    </Card>
  )
}
