import { Button, Card, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  CodeBlock,
  ConfirmButton,
  ErrorNotice,
  Loaded,
  PageFrame,
  StatusBadge,
  useAction,
  useAddress
} from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import { CirclePlay, Pencil } from 'lucide-react'
import { useLocation, useParams } from 'wouter'
import { EditTask } from './edit-task.tsx'
import { isUnderWay, taskQuery } from './queries.ts'
import { TaskFacts } from './task-facts.tsx'
import { TaskProgress } from './task-progress.tsx'
import { TaskRuns } from './task-runs.tsx'

const crumbs = [{ label: 'Tasks', to: '/tasks' }]

/** A task: what it is, what is under way, and what became of its runs. */
export default function TaskPage() {
  const { taskId = '' } = useParams()
  const task = useQuery(taskQuery(taskId))
  if (task.error && !task.data)
    return (
      <PageFrame title="Task" crumbs={crumbs}>
        <ErrorNotice error={task.error} retry={() => task.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={task.data?.title ?? 'Task'}
      crumbs={crumbs}
      badge={task.data && <StatusBadge status={task.data.status} />}
      actions={task.data && <Actions task={task.data} />}
    >
      <Loaded query={task}>
        {(task) => (
          <Stack gap="xl">
            <Card withBorder padding="lg">
              <TaskFacts task={task} />
            </Card>
            {isUnderWay(task.status) && <TaskProgress key={task.lastRunAt} taskId={task.id} />}
            {task.input && (
              <Stack gap="xs">
                <Title order={2} size="h5">
                  Input
                </Title>
                <CodeBlock label="Input" value={task.input} />
              </Stack>
            )}
            <TaskRuns taskId={task.id} workflowId={task.workflowId} />
            <Removal taskId={task.id} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ task }: { task: Task }) {
  const { search, change } = useAddress()
  const params = { path: { id: task.id } }
  const changes = [['tasks']]
  const executing = useAction({ run: () => api.post('/v1/tasks/{id}/execute', { params }), changes })
  const cancelling = useAction({
    run: () => api.post('/v1/tasks/{id}/cancel', { params }),
    changes,
    done: 'The task is cancelled'
  })
  const canEnd = isUnderWay(task.status) || task.status === 'scheduled'
  return (
    <>
      <Button
        size="sm"
        leftSection={<CirclePlay size={16} aria-hidden />}
        onClick={() => executing.mutate()}
        loading={executing.isPending}
        disabled={isUnderWay(task.status)}
      >
        Run now
      </Button>
      <Button
        size="sm"
        variant="default"
        leftSection={<Pencil size={16} aria-hidden />}
        onClick={() => change({ edit: 'yes' })}
      >
        Edit
      </Button>
      {canEnd && (
        <ConfirmButton
          title="Cancel this task?"
          warning="What is under way ends at once, and nothing more is scheduled. An edit of its time brings it back."
          onClick={() => cancelling.mutate()}
          loading={cancelling.isPending}
        >
          Cancel task
        </ConfirmButton>
      )}
      <EditTask task={task} isOpen={search.get('edit') !== null} onClose={() => change({ edit: null })} />
    </>
  )
}

function Removal({ taskId }: { taskId: string }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/tasks/{id}', { params: { path: { id: taskId } } }),
    changes: [
      ['tasks', 'list'],
      ['tasks', 'upcoming']
    ],
    done: 'The task is deleted',
    onDone: () => navigate('/tasks')
  })
  return (
    <Group>
      <ConfirmButton
        title="Delete this task?"
        warning="Its history goes with it, and what is under way is cancelled. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete task
      </ConfirmButton>
    </Group>
  )
}
