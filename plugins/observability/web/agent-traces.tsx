import { Badge, Box, Group, Stack, Text, Tooltip } from '@mantine/core'
import { api, ListView, Panel, TimeAgo, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

type Trace = Schemas['RunTrace']
type Span = Schemas['Span']

const colors: Readonly<Record<string, string>> = { server: 'indigo', client: 'teal', internal: 'orange' }

/** What each part of an agent's runs took, as a waterfall. */
export default function AgentTraces({ agentId }: { agentId: string }) {
  const list = useList(['observability', 'traces', agentId], (cursor, signal) =>
    api.get('/v1/logs/agents/{agentId}/observability', {
      params: { path: { agentId }, query: { limit: 10, cursor } },
      signal
    })
  )
  return (
    <Panel title="Traces" description="Calls of the model and of tools, in each run.">
      <ListView list={list} empty="The agent has not run yet.">
        {(traces: readonly Trace[]) => (
          <Stack gap="xl">
            {traces.map((trace) => (
              <Waterfall key={trace.runId} trace={trace} />
            ))}
          </Stack>
        )}
      </ListView>
    </Panel>
  )
}

function Waterfall({ trace: { runId, status, startedAt, milliseconds, spans } }: { trace: Trace }) {
  const begun = Date.parse(startedAt)
  const whole = Math.max(milliseconds ?? Math.max(...spans.map((span) => endOf(span, begun))), 1)
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Badge variant="light" color={status === 'failed' ? 'red' : 'gray'}>
          {status}
        </Badge>
        <Text size="sm">
          <TimeAgo at={startedAt} />
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {runId}
        </Text>
      </Group>
      {spans.map((span) => (
        <Bar key={span.spanId} span={span} begun={begun} whole={whole} />
      ))}
    </Stack>
  )
}

function Bar({ span, begun, whole }: { span: Span; begun: number; whole: number }) {
  const { name, kind, status, milliseconds, parentSpanId } = span
  const from = Date.parse(span.startedAt) - begun
  const took = milliseconds === null ? 'not over' : `${milliseconds} ms`
  const isInside = parentSpanId !== null && kind !== 'server'
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" w={220} pl={isInside ? 'md' : 0} truncate flex="none">
        {name}
      </Text>
      <Tooltip label={`${name}: ${took}`}>
        <Box flex={1} h={14} pos="relative" bg="var(--mantine-color-default-hover)">
          <Box
            pos="absolute"
            h="100%"
            left={`${Math.min((100 * from) / whole, 99)}%`}
            w={`${Math.max((100 * (endOf(span, begun) - from)) / whole, 0.5)}%`}
            bg={`${status === 'error' ? 'red' : (colors[kind] ?? 'gray')}.5`}
          />
        </Box>
      </Tooltip>
      <Text size="xs" c="dimmed" w={70} ta="right" flex="none">
        {took}
      </Text>
    </Group>
  )
}

/** In milliseconds since the run began; of what goes on, now. */
const endOf = ({ endedAt }: Span, begun: number): number =>
  (endedAt ? Date.parse(endedAt) : Date.now()) - begun
