import { Button, Card, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Details, Loaded, StatusBadge, TimeAgo, useAction } from 'agent-platform/console'
import { BeatList } from './beat-list.tsx'
import { HeartbeatForm } from './heartbeat-form.tsx'
import type { Heartbeat } from './queries.ts'
import { heartbeatQuery } from './queries.ts'

/** How an agent acts without being asked, and what came of it. */
export default function AgentAutonomy({ agentId }: { agentId: string }) {
  const heartbeat = useQuery(heartbeatQuery(agentId))
  return (
    <Stack gap="xl">
      <Loaded query={heartbeat}>
        {(heartbeat) => (
          <>
            <State heartbeat={heartbeat} />
            <HeartbeatForm key={heartbeat.agentId} heartbeat={heartbeat} />
          </>
        )}
      </Loaded>
      <BeatList agentId={agentId} />
    </Stack>
  )
}

function State({ heartbeat }: { heartbeat: Heartbeat }) {
  const { agentId, enabled, nextBeatAt, scheduleError, lastBeat, today, failures, backoffUntil } = heartbeat
  const firing = useAction({
    run: () => api.post('/v1/agents/{agentId}/autonomy/trigger', { params: { path: { agentId } } }),
    changes: [['autonomy', agentId]],
    done: 'A beat has begun'
  })
  return (
    <Card withBorder padding="lg">
      <Stack gap="md">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} size="h5">
              Heartbeat
            </Title>
            <StatusBadge status={enabled ? 'enabled' : 'off'} />
          </Group>
          <Button size="sm" variant="default" onClick={() => firing.mutate()} loading={firing.isPending}>
            Beat now
          </Button>
        </Group>
        <Details
          of={{
            'Next beat': nextBeatAt ? <TimeAgo at={nextBeatAt} /> : 'None',
            'Schedule error': scheduleError ?? undefined,
            'Last beat': lastBeat ? <TimeAgo at={lastBeat.createdAt} /> : 'None yet',
            Today: `${today.beats === 1 ? '1 beat' : `${today.beats} beats`}, ${today.tokens.toLocaleString('en')} tokens`,
            'Failures in a row': failures || undefined,
            'Backed off until': backoffUntil ? <TimeAgo at={backoffUntil} /> : undefined
          }}
        />
      </Stack>
    </Card>
  )
}
