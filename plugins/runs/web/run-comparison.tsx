import { Anchor, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice, Loaded, PageFrame, StatusBadge, TimeAgo } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { durationOf, inWords } from './durations.ts'
import { agentQuery, runQuery } from './queries.ts'
import { RunAnswer } from './run-answer.tsx'
import { RunParts } from './run-parts.tsx'
import { sumOf } from './run-times.ts'
import type { RunView } from './run-view.ts'
import { callsOf } from './run-view.ts'
import { useFollowedRun } from './use-followed-run.ts'

/** Two runs side by side. */
export default function RunComparison() {
  const { runId = '', otherId = '' } = useParams()
  const left = useQuery(runQuery(runId))
  const right = useQuery(runQuery(otherId))
  const leftView = useFollowedRun(runId)
  const rightView = useFollowedRun(otherId)
  return (
    <PageFrame title="Compare runs" crumbs={[{ label: 'Run', to: `/runs/${runId}` }]}>
      <Loaded query={left}>
        {(a) => (
          <Loaded query={right}>
            {(b) => (
              <Stack gap="xl">
                <Facts runs={[a, b]} views={[leftView, rightView]} />
                <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
                  <Side name="First run" run={a} view={leftView} />
                  <Side name="Second run" run={b} view={rightView} />
                </SimpleGrid>
              </Stack>
            )}
          </Loaded>
        )}
      </Loaded>
      {left.data && right.error ? <ErrorNotice error={right.error} retry={() => right.refetch()} /> : null}
    </PageFrame>
  )
}

function Facts({ runs: [a, b], views }: { runs: [Run, Run]; views: [RunView, RunView] }) {
  const row = (name: string, show: (run: Run, view: RunView) => ReactNode) => (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
      </Table.Th>
      <Table.Td>{show(a, views[0])}</Table.Td>
      <Table.Td>{show(b, views[1])}</Table.Td>
    </Table.Tr>
  )
  const number = (value: number) => value.toLocaleString('en')
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Td w={96} />
            <Table.Th scope="col">
              <RunLink id={a.id}>First run</RunLink>
            </Table.Th>
            <Table.Th scope="col">
              <RunLink id={b.id}>Second run</RunLink>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {row('Status', ({ status }) => (
            <StatusBadge status={status} />
          ))}
          {row('Agent', ({ agentId }) => (
            <AgentName agentId={agentId} />
          ))}
          {row('Began', ({ createdAt }) => (
            <TimeAgo at={createdAt} />
          ))}
          {row('Duration', durationOf)}
          {row('First words', (_, { times }) =>
            times.firstWords === undefined ? '–' : inWords(times.firstWords)
          )}
          {row('Model', (_, { times }) => inWords(sumOf(times, 'model')))}
          {row('Tools', (_, { times }) => inWords(sumOf(times, 'calls')))}
          {row('Waited', (_, { times }) => inWords(sumOf(times, 'waited')))}
          {row('Tokens in', ({ usage }) => number(usage.inputTokens))}
          {row('Cached', ({ usage }) => number(usage.cachedTokens))}
          {row('Tokens out', ({ usage }) => number(usage.outputTokens))}
          {row('Steps', (_, { parts }) => new Set(parts.map(({ step }) => step)).size)}
          {row('Calls', (_, view) => callsOf(view).length)}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const RunLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Anchor component={Link} href={`/runs/${id}`} size="sm" fw={600}>
    {children}
  </Anchor>
)

function AgentName({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId))
  return agent.data?.name ?? agentId
}

const Side = ({ name, run, view }: { name: string; run: Run; view: RunView }) => (
  <Stack component="section" gap="md" miw={0} aria-label={name}>
    <Title order={2} size="h4">
      {name}
    </Title>
    <RunAnswer run={run} view={view} />
    <Title order={3} size="h5">
      Calls
    </Title>
    {callsOf(view).length === 0 ? (
      <Text size="sm" c="dimmed">
        It called no tools.
      </Text>
    ) : (
      <Stack gap="xs">
        <RunParts view={{ ...view, parts: callsOf(view) }} />
      </Stack>
    )}
  </Stack>
)
