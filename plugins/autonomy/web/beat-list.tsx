import { Anchor, Stack, Text, Title } from '@mantine/core'
import { api, ListTable, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Beat } from './queries.ts'

const triggers: Readonly<Record<Beat['trigger'], string>> = {
  schedule: 'Heartbeat',
  manual: 'Hand',
  external: 'Outside'
}

/** What came of beats, and of what triggered the agent from outside. */
export function BeatList({ agentId }: { agentId: string }) {
  const list = useList(
    ['autonomy', agentId, 'beats'],
    (cursor, signal) =>
      api.get('/v1/agents/{agentId}/autonomy/beats', {
        params: { path: { agentId }, query: { limit: 20, cursor } },
        signal
      }),
    { refresh: 10_000 }
  )
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Beats
      </Title>
      <ListTable
        label="Beats"
        list={list}
        empty="There was no beat yet."
        columns={[
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          { header: 'By', cell: ({ trigger }) => triggers[trigger] },
          { header: 'Tokens', cell: ({ tokens }) => tokens ?? '–', isNumber: true },
          {
            header: 'What came of it',
            maxWidth: 360,
            cell: (beat) => (
              <>
                <Text size="sm" lineClamp={3}>
                  {wordsOf(beat)}
                </Text>
                {beat.runId && (
                  <Anchor component={Link} href={`/runs/${beat.runId}`} size="sm">
                    Open the run
                  </Anchor>
                )}
              </>
            )
          }
        ]}
      />
    </Stack>
  )
}

function wordsOf({ reason, error, silent }: Beat): string {
  if (reason) return `Skipped: ${reason.replaceAll('_', ' ')}`
  if (error) return error.message
  return silent ? 'Nothing was to be done' : ''
}
