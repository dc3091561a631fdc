import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ActionButton,
  api,
  CodeBlock,
  ListTable,
  Loaded,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useEffect } from 'react'

type Report = Schemas['BuildReport']

const words = { publish: 'Publish', verify: 'Verify' } as const

/** Builds of a project, and what one of them wrote. */
export function BuildPanel(props: { agentId: string; projectId: string; chosen: string | null }) {
  const { agentId, projectId, chosen } = props
  const { change } = useAddress()
  const path = { agentId, projectId }
  const list = useList(['code-project-builds', projectId], (cursor, signal) =>
    api.get('/v1/agents/{agentId}/projects/{projectId}/builds', {
      params: { path, query: { limit: 5, cursor } },
      signal
    })
  )
  return (
    <Panel title="Builds">
      <Stack gap="md">
        <ListTable
          label="Builds"
          list={list}
          empty="Nothing was built yet."
          columns={[
            {
              header: 'What',
              cell: ({ id, kind }) => (
                <Anchor size="sm" component="button" type="button" onClick={() => change({ build: id })}>
                  {words[kind]}
                </Anchor>
              )
            },
            { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
            { header: 'Version', cell: ({ version }) => version },
            { header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
          ]}
        />
        {chosen && <OpenBuild key={chosen} path={{ ...path, buildId: chosen }} />}
      </Stack>
    </Panel>
  )
}

function OpenBuild({ path }: { path: { agentId: string; projectId: string; buildId: string } }) {
  const queries = useQueryClient()
  const { projectId, buildId } = path
  const key = ['code-project-build', buildId]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api.get('/v1/agents/{agentId}/projects/{projectId}/builds/{buildId}', { params: { path }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.endedAt === null ? 1_000 : false)
  })
  const status = query.data?.data.status
  // What it published is shown, and the list says how it ended.
  useEffect(() => {
    if (status === undefined) return
    void queries.invalidateQueries({ queryKey: ['code-project-builds', projectId] })
    void queries.invalidateQueries({ queryKey: ['code-project', projectId], exact: true })
  }, [status, projectId, queries])
  const cancelling = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/projects/{projectId}/builds/{buildId}/cancel', { params: { path } }),
    changes: [key]
  })
  return (
    <Loaded query={query}>
      {({ data }) => (
        <Stack gap="sm">
          <Group justify="space-between">
            <Group gap="sm">
              <Text fw={600} size="sm">
                {words[data.kind]}
              </Text>
              <StatusBadge status={data.status} />
              {data.reason && (
                <Text size="sm" c="dimmed">
                  {data.reason}
                </Text>
              )}
            </Group>
            {data.endedAt === null && (
              <ActionButton
                size="compact-sm"
                variant="default"
                onClick={() => cancelling.mutate()}
                loading={cancelling.isPending}
              >
                Cancel the build
              </ActionButton>
            )}
          </Group>
          {data.report && <Verdict report={data.report} />}
          {data.log !== '' && <CodeBlock label="build log" value={data.log} />}
        </Stack>
      )}
    </Loaded>
  )
}

function Verdict({ report }: { report: Report }) {
  const { ok, title, error, consoleErrors, failedRequests } = report
  const faults = [
    ...(error ? [error] : []),
    ...consoleErrors,
    ...failedRequests.map(({ url, reason }) => `${url}: ${reason}`)
  ]
  return (
    <Alert
      color={ok ? 'green' : 'red'}
      title={ok ? `It works: ${title || 'without a title'}` : 'It does not work'}
    >
      {faults.length > 0 && (
        <Stack gap={4}>
          {faults.map((fault, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {fault}
            </Text>
          ))}
        </Stack>
      )}
    </Alert>
  )
}
