import { Anchor } from '@mantine/core'
import { AgentLink, DataTable, StatusBadge, TimeAgo } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import { Link } from 'wouter'
import { cronInWords } from './cron-words.ts'

/** When it runs, in words. */
export const scheduleOf = ({ cronExpression, isRecurring, scheduledFor }: Task): string =>
  cronExpression && (isRecurring || !scheduledFor)
    ? `${cronInWords(cronExpression) ?? cronExpression}${isRecurring ? '' : ', once'}`
    : scheduledFor
      ? 'Once'
      : 'On demand'

export const TaskTable = ({ tasks, isOfOneAgent }: { tasks: readonly Task[]; isOfOneAgent?: boolean }) => (
  <DataTable
    label="Tasks"
    rows={tasks}
    columns={[
      { header: 'Title', to: ({ id }) => `/tasks/${id}`, cell: ({ title }) => title, note: scheduleOf },
      { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      !isOfOneAgent && { header: 'Done by', cell: (task) => <DoneBy task={task} />, maxWidth: 200 },
      { header: 'Next run', cell: ({ nextRunAt }) => <TimeAgo at={nextRunAt} /> },
      { header: 'Last run', cell: ({ lastRunAt }) => <TimeAgo at={lastRunAt} /> }
    ]}
  />
)

const DoneBy = ({ task: { workflowId, agentId } }: { task: Task }) =>
  workflowId ? (
    <Anchor component={Link} href={`/workflows/${workflowId}`} size="sm">
      A workflow
    </Anchor>
  ) : (
    agentId && <AgentLink agentId={agentId} />
  )
