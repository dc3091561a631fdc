import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  CodeBlock,
  Details,
  ErrorNotice,
  Loaded,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { RuntimeForm } from './runtime-form.tsx'

type Runtime = Schemas['Runtime']
const REFRESH_MS = 3_000

/** The program that an agent runs by, how it stands, and what it is started with. */
export default function AgentRuntime({ agentId }: { agentId: string }) {
  const runtime = useQuery({
    queryKey: ['runtime', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}/runtime', { params: { path: { agentId } }, signal })).data,
    refetchInterval: REFRESH_MS
  })
  return (
    <Loaded query={runtime}>
      {(it) => (
        <Stack gap="lg">
          <State runtime={it} />
          <Panel title="What it is started with" description="It holds from the next deployment.">
            <RuntimeForm key={it.version} runtime={it} />
          </Panel>
          <Processes runtime={it} />
        </Stack>
      )}
    </Loaded>
  )
}

function State({ runtime }: { runtime: Runtime }) {
  const { agentId, command, deployment, deployedAt, status } = runtime
  const path = { path: { agentId } }
  const changes = [['runtime', agentId]]
  const deploying = useAction({
    run: () => api.post('/v1/agents/{agentId}/runtime/deploy', { params: path }),
    changes,
    done: 'It is being deployed',
    isQuiet: true
  })
  const sleeping = useAction({
    run: () => api.post('/v1/agents/{agentId}/runtime/sleep', { params: path }),
    changes,
    done: 'It sleeps'
  })
  const restarting = useAction({
    run: () => api.post('/v1/agents/{agentId}/runtime/restart', { params: path }),
    changes,
    done: 'It is being restarted'
  })
  const isOff = status.desired === 'off'
  return (
    <Panel
      title="Runtime"
      description={isOff && 'Nothing is deployed: the platform’s own loop runs the agent.'}
      actions={
        <>
          <StatusBadge status={status.observed} />
          {!isOff && (
            <Button
              size="sm"
              variant="default"
              onClick={() => restarting.mutate()}
              loading={restarting.isPending}
            >
              Restart
            </Button>
          )}
          {status.desired === 'awake' && (
            <Button
              size="sm"
              variant="default"
              onClick={() => sleeping.mutate()}
              loading={sleeping.isPending}
            >
              Put to sleep
            </Button>
          )}
          {command !== null && (
            <Button
              size="sm"
              variant={isOff ? 'filled' : 'default'}
              onClick={() => deploying.mutate()}
              loading={deploying.isPending}
            >
              {isOff ? 'Deploy' : 'Deploy anew'}
            </Button>
          )}
        </>
      }
    >
      {(deploying.error || !isOff) && (
        <Stack gap="md">
          {deploying.error ? <ErrorNotice error={deploying.error} /> : null}
          <Details
            of={{
              Deployment: deployment || undefined,
              'Deployed last': deployedAt ? <TimeAgo at={deployedAt} /> : undefined,
              Capabilities: status.capabilities.join(', ') || undefined,
              'Last sign of life': status.lastSeen ? <TimeAgo at={status.lastSeen} /> : undefined,
              Reason: status.reason ?? undefined
            }}
          />
        </Stack>
      )}
    </Panel>
  )
}

function Processes({ runtime: { processes } }: { runtime: Runtime }) {
  if (processes.length === 0) return null
  return (
    <Stack gap="md">
      <Title order={2} size="h5">
        Latest processes
      </Title>
      {processes.map(({ id, state, deployment, createdAt, reason, output }) => (
        <Card key={id} withBorder padding="md">
          <Group gap="sm">
            <StatusBadge status={state} />
            <Text size="sm">Deployment {deployment}</Text>
            <TimeAgo at={createdAt} />
            {reason && (
              <Text size="sm" c="dimmed">
                {reason}
              </Text>
            )}
          </Group>
          {output && (
            <Box mt="sm">
              <CodeBlock value={output} label={`Output of ${id}`} />
            </Box>
          )}
        </Card>
      ))}
    </Stack>
  )
}
