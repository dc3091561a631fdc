import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock, TimeAgo } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Approval } from './approval.tsx'
import { OwnResult } from './own-result.tsx'
import { runQuery } from './queries.ts'
import { Question } from './question.tsx'
import type { Called, Request, RunView } from './run-view.ts'

/** Whether it was answered elsewhere meanwhile. */
const LOOK_MS = 10_000

/** What a run waits for, to be answered here. */
export function Requests({ runId, view }: { runId: string; view: RunView }) {
  const { requests, parts } = view
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set())
  const run = useQuery({
    ...runQuery(runId),
    queryKey: ['runs', runId, 'pending', requests.map(({ id }) => id).join()],
    enabled: requests.length > 0,
    refetchInterval: LOOK_MS
  })
  const open = requests.filter(({ id }) => !answered.has(id) && (!run.data || isPending(run.data, id)))
  return open.map((request) => (
    <AskedOf
      key={request.id}
      runId={runId}
      request={request}
      call={parts.find((part): part is Called => part.kind === 'call' && part.callId === request.callId)}
      onAnswered={() => setAnswered((before) => new Set(before).add(request.id))}
    />
  ))
}

const isPending = ({ pending }: Run, id: string): boolean =>
  pending.some((it) => (it.for === 'elicitation' ? it.elicitationId : it.callId) === id)

interface Asked {
  readonly runId: string
  readonly request: Request
  readonly call: Called | undefined
  readonly onAnswered: () => void
}

function AskedOf({ runId, request, call, onAnswered }: Asked) {
  const toolName = call?.toolName ?? 'a tool'
  const args = <CodeBlock value={call?.args ?? {}} label={`Arguments of ${toolName}`} maxHeight={220} />
  const shared = { runId, id: request.id, onAnswered }
  switch (request.for) {
    case 'approval':
      return (
        <AskedCard title={`May ${toolName} be called?`} deadline={request.deadline}>
          {args}
          <Approval {...shared} />
        </AskedCard>
      )
    case 'result':
      return (
        <AskedCard title={`Give the result of ${toolName}`} deadline={request.deadline}>
          {args}
          <OwnResult {...shared} />
        </AskedCard>
      )
    case 'elicitation':
      return (
        <AskedCard title={`${toolName} asks`} deadline={request.deadline}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {request.message}
          </Text>
          <Question {...shared} schema={request.schema} />
        </AskedCard>
      )
  }
}

const AskedCard = (props: { title: string; deadline: string; children: ReactNode }) => (
  <Card withBorder padding="md" component="section" aria-label={props.title}>
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h6" style={{ overflowWrap: 'anywhere' }}>
          {props.title}
        </Title>
        <Text size="xs" c="dimmed" component="span">
          Expires <TimeAgo at={props.deadline} />
        </Text>
      </Group>
      {props.children}
    </Stack>
  </Card>
)
