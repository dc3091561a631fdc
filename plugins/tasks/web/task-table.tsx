import { Anchor, Table, Text } from '@mantine/core'
import { AgentLink, StatusBadge, TimeAgo } from 'agent-platform/console'
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
  <Table.ScrollContainer minWidth={640}>
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Title</Table.Th>
          <Table.Th>Status</Table.Th>
          {!isOfOneAgent && <Table.Th>Done by</Table.Th>}
          <Table.Th>Next run</Table.Th>
          <Table.Th>Last run</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tasks.map((task) => (
          <Table.Tr key={task.id}>
            <Table.Td maw={{ base: 190, sm: 360 }}>
              <Anchor
                component={Link}
                href={`/tasks/${task.id}`}
                size="sm"
                fw={550}
                c="inherit"
                lineClamp={2}
              >
                {task.title}
              </Anchor>
              <Text size="xs" c="dimmed" truncate>
                {scheduleOf(task)}
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={task.status} />
            </Table.Td>
            {!isOfOneAgent && (
              <Table.Td maw={200}>
                {task.workflowId ? (
                  <Anchor component={Link} href={`/workflows/${task.workflowId}`} size="sm">
                    A workflow
                  </Anchor>
                ) : (
                  task.agentId && <AgentLink agentId={task.agentId} />
                )}
              </Table.Td>
            )}
            <Table.Td>
              <TimeAgo at={task.nextRunAt} />
            </Table.Td>
            <Table.Td>
              <TimeAgo at={task.lastRunAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
