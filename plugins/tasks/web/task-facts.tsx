import { Anchor, Text } from '@mantine/core'
import { AgentLink, Details, TimeAgo } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import { Link } from 'wouter'
import { scheduleOf } from './task-table.tsx'

/** What a task is, and when it runs. */
export function TaskFacts({ task }: { task: Task }) {
  const { description, agentId, workflowId, executionMode, retry, timezone, cronExpression } = task
  return (
    <>
      {description && (
        <Text size="sm" mb="lg" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
      <Details
        of={{
          Agent: agentId ? <AgentLink agentId={agentId} /> : undefined,
          Workflow: workflowId ? (
            <Anchor component={Link} href={`/workflows/${workflowId}`} size="sm">
              {workflowId}
            </Anchor>
          ) : undefined,
          Session: task.sessionId ?? (workflowId ? undefined : 'A new one for each run'),
          Order: executionMode === 'sequential' ? 'After the earlier tasks of its session' : undefined,
          Schedule: scheduleOf(task),
          'Cron expression': cronExpression ? `${cronExpression} (${timezone ?? 'UTC'})` : undefined,
          'Next run': task.nextRunAt ? <At at={task.nextRunAt} /> : 'None',
          'Schedule error': task.scheduleError ?? undefined,
          'Last run': task.lastRunAt ? <At at={task.lastRunAt} /> : 'None yet',
          Attempts: retry ? `${retry.attempts}, first after ${retry.backoffSeconds} s` : 'One',
          Owner: task.owner,
          Created: <At at={task.createdAt} />,
          Changed: <At at={task.updatedAt} />
        }}
      />
    </>
  )
}

const At = ({ at }: { at: string }) => (
  <>
    {new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })} (<TimeAgo at={at} />)
  </>
)
