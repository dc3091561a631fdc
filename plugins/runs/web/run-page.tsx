import { Button, Stack, Tabs, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  Contributed,
  ErrorNotice,
  Loaded,
  PageFrame,
  StatusBadge,
  useAction,
  useContributions,
  useSession
} from 'agent-platform/console'
import { Square } from 'lucide-react'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { CompareWith } from './compare-with.tsx'
import { agentQuery, runQuery, titleQuery } from './queries.ts'
import { Requests } from './requests.tsx'
import { RunAnswer } from './run-answer.tsx'
import { RunEvents } from './run-events.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { hasEnded } from './run-view.ts'
import { CopyLink, ShareRun } from './share-run.tsx'
import { useFollowedRun } from './use-followed-run.ts'

/** A run: how it went, what it said, and each of its events, also while it is under way. */
export default function RunPage() {
  const { runId = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const run = useQuery(runQuery(runId))
  const agentId = run.data?.agentId
  const agent = useQuery({ ...agentQuery(agentId ?? ''), enabled: agentId !== undefined })
  const sessionId = run.data?.sessionId
  const session = useQuery({ ...titleQuery(sessionId ?? ''), enabled: sessionId !== undefined })
  const view = useFollowedRun(runId)
  const panels = useContributions('runPanels')
  const status = view.last < 0 ? run.data?.status : view.status
  const { principal } = useSession()
  // Others may read it where it is shared, and no more; services reach what is of their whole project.
  const isOwn = principal?.type !== 'user' || run.data?.owner === principal.id
  const isOpen = status !== undefined && !hasEnded({ status })
  const { refetch } = run
  // Tokens and times are those of the record.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew whenever the run is at another stage
  useEffect(() => void refetch(), [status, refetch])
  const cancelling = useAction({
    run: () => api.runs.cancel(runId),
    changes: [['runs']],
    done: 'The run is cancelled'
  })
  const crumbs = [
    { label: 'Agents', to: '/agents' },
    ...(agentId ? [{ label: agent.data?.name ?? 'Agent', to: `/agents/${agentId}` }] : [])
  ]
  return (
    <PageFrame
      title="Run"
      description={session.data && `In “${session.data}”`}
      crumbs={crumbs}
      badge={status && <StatusBadge status={status} />}
      actions={
        <>
          {isOwn ? <ShareRun runId={runId} /> : <CopyLink />}
          {isOpen && isOwn && (
            <Button
              size="sm"
              variant="light"
              color="red"
              leftSection={<Square size={15} aria-hidden />}
              loading={cancelling.isPending}
              onClick={() => cancelling.mutate()}
            >
              Cancel run
            </Button>
          )}
        </>
      }
    >
      <Loaded query={run}>
        {(run) => (
          <Stack gap="xl">
            <RunFacts run={run} view={view} agentName={agent.data?.name} />
            {view.connection.state === 'refused' && <ErrorNotice error={view.connection.error} />}
            <Requests runId={runId} view={view} />
            <Tabs
              value={search.get('show') ?? 'answer'}
              onChange={(show) => setSearch(show && show !== 'answer' ? { show } : {}, { replace: true })}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                <Tabs.Tab value="answer">Answer</Tabs.Tab>
                <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
                <Tabs.Tab value="events">Events</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="answer">
                <RunAnswer run={run} view={view} />
              </Tabs.Panel>
              <Tabs.Panel value="timeline">
                <RunTimeline view={view} />
              </Tabs.Panel>
              <Tabs.Panel value="events">
                <RunEvents view={view} />
              </Tabs.Panel>
            </Tabs>
            <CompareWith runId={runId} />
            {panels.map(({ key, title, load }) => (
              <Stack key={key} component="section" gap="sm">
                <Title order={2} size="h4">
                  {title}
                </Title>
                <Contributed load={load} runId={runId} />
              </Stack>
            ))}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}
