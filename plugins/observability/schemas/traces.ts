import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Attributes = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]),
  { description: "By the names of OpenTelemetry's conventions for generative AI, and `agent_platform.…`" }
)
const milliseconds = OrNull(Type.Number({ minimum: 0, description: 'Null until it has ended' }))
const Span = Type.Object(
  {
    spanId: Type.String({ description: '16 hexadecimal digits' }),
    parentSpanId: OrNull(Type.String({ description: 'May be a span of the caller (`traceparent`)' })),
    name: Type.String({ examples: ['chat gpt-5', 'execute_tool search'] }),
    kind: Type.Enum(['server', 'client', 'internal']),
    startedAt: Time,
    endedAt: OrNull(Time),
    milliseconds,
    status: Type.Enum(['ok', 'error', 'unset']),
    attributes: Attributes,
    events: Type.Array(Type.Object({ name: Type.String(), at: Time, attributes: Attributes }))
  },
  { title: 'Span' }
)
const Trace = Type.Object(
  {
    traceId: Type.String({
      description: '32 hexadecimal digits: as the `traceparent` of the request had it'
    }),
    runId: Type.String(),
    sessionId: Type.String(),
    agentId: Type.String(),
    owner: Type.String(),
    status: Type.String({ examples: ['completed'] }),
    startedAt: Time,
    endedAt: OrNull(Time),
    milliseconds,
    spans: Type.Array(Span, { description: 'The run, then calls of its model and of tools, as they began' })
  },
  { title: 'RunTrace' }
)
const TraceQuery = Type.Object({
  ...Paging,
  sessionId: Type.Optional(Type.String({ maxLength: 128 })),
  runId: Type.Optional(Type.String({ maxLength: 128 })),
  status: Type.Optional(Type.Enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'])),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Began then or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Began before' })),
  minMilliseconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Ended, and took at least so long' })
  ),
  spanKind: Type.Optional(
    Type.Enum(['invoke_agent', 'chat', 'execute_tool'], { description: 'Only spans of that operation' })
  )
})

export type Span = Static<typeof Span>
export type Trace = Static<typeof Trace>
export type TraceQuery = Static<typeof TraceQuery>

export const listTraces = {
  tags: ['observability'],
  summary: 'Traces and spans of an agent',
  description:
    'A trace a run, newest first, made from what the run keeps. What was said is in it only where the deployment says so (`redaction`).',
  params: Type.Object({ agentId: Type.String({ maxLength: 128 }) }),
  querystring: TraceQuery,
  response: { 200: Page(Trace) }
}
