import { Alert, Anchor, Card, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  CodeBlock,
  ConfirmButton,
  Details,
  ErrorNotice,
  Loaded,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAction,
  useAddress
} from 'agent-platform/console'
import type { Execution } from 'agent-platform-client'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'wouter'
import { ExecutionSteps } from './execution-steps.tsx'
import { hasEnded, versionQuery, workflowQuery } from './queries.ts'
import { useLiveExecution } from './use-live-execution.ts'
import { WaitingSteps } from './waiting-steps.tsx'

const WorkflowGraph = lazy(() => import('./workflow-graph.tsx'))

/** An execution as it goes on: what it waits for, its steps on the graph, and what went in and came out. */
export default function ExecutionPage() {
  const { workflowId = '', executionId = '' } = useParams()
  const { execution, error } = useLiveExecution(workflowId, executionId)
  const workflow = useQuery(workflowQuery(workflowId))
  const crumbs = [
    { label: 'Workflows', to: '/workflows' },
    { label: workflow.data?.name ?? 'Workflow', to: `/workflows/${workflowId}/executions` }
  ]
  const { data } = execution
  if (execution.error && !data)
    return (
      <PageFrame title="Execution" crumbs={crumbs}>
        <ErrorNotice error={execution.error} retry={() => execution.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title="Execution"
      crumbs={crumbs}
      badge={data && <StatusBadge status={data.status} />}
      actions={data && !hasEnded(data.status) && <Cancelling execution={data} />}
    >
      <Loaded query={execution}>
        {(execution) => (
          <Stack gap="xl">
            {error ? <ErrorNotice error={error} /> : null}
            {execution.error && (
              <Alert color="red" variant="light" title={execution.error.code}>
                <span style={{ overflowWrap: 'anywhere' }}>{execution.error.message}</span>
              </Alert>
            )}
            <WaitingSteps execution={execution} />
            <Card withBorder padding="lg">
              <Details
                of={{
                  Id: execution.id,
                  Version: (
                    <Anchor
                      component={Link}
                      href={`/workflows/${workflowId}/versions/${execution.workflowVersion}`}
                      size="sm"
                    >
                      {execution.workflowVersion}
                    </Anchor>
                  ),
                  Owner: execution.owner,
                  Started: <TimeAgo at={execution.createdAt} />,
                  Ended: execution.endedAt ? <TimeAgo at={execution.endedAt} /> : 'Not yet',
                  Tokens: execution.cost
                    ? `${execution.cost.inputTokens} in, ${execution.cost.outputTokens} out`
                    : undefined,
                  'Part of': execution.parentId ?? undefined
                }}
              />
            </Card>
            <Drawn execution={execution} />
            <ExecutionSteps steps={execution.steps} />
            <Stack gap="xs">
              <Title order={2} size="h5">
                Input
              </Title>
              <CodeBlock label="Input" value={execution.input} />
            </Stack>
            {execution.status === 'completed' && (
              <Stack gap="xs">
                <Title order={2} size="h5">
                  Output
                </Title>
                <CodeBlock label="Output" value={execution.output} />
              </Stack>
            )}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** The steps as they were when it began. */
function Drawn({ execution }: { execution: Execution }) {
  const { search, change } = useAddress()
  const { data: version } = useQuery(versionQuery(execution.workflowId, execution.workflowVersion))
  if (!version) return null
  // Of a step that is made for each item the latest counts.
  const statuses = new Map(execution.steps.map(({ stepId, status }) => [stepId, status]))
  const open = execution.steps.find(({ path }) => path === search.get('step'))
  return (
    <Suspense fallback={<Skeleton height={520} radius="md" />}>
      <WorkflowGraph
        steps={version.definition.steps}
        selected={open?.stepId ?? null}
        onSelect={(id) => change({ step: execution.steps.find(({ stepId }) => stepId === id)?.path ?? null })}
        statuses={statuses}
      />
    </Suspense>
  )
}

function Cancelling({ execution }: { execution: Execution }) {
  const { workflowId, id } = execution
  const cancelling = useAction({
    run: () =>
      api.post('/v1/workflows/{id}/executions/{executionId}/cancel', {
        params: { path: { id: workflowId, executionId: id } }
      }),
    changes: [['workflows', workflowId, 'executions']],
    done: 'The execution is cancelled'
  })
  return (
    <ConfirmButton
      title="Cancel this execution?"
      warning="The steps that are under way stop, and those that have a compensation are undone."
      onClick={() => cancelling.mutate()}
      loading={cancelling.isPending}
    >
      Cancel execution
    </ConfirmButton>
  )
}
