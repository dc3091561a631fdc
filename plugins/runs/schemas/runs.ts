import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Citation, retryAt, runEvent } from './events.ts'
import { Fallback } from './fallbacks.ts'
import { RunOptions } from './options.ts'
import { finishReason, Usage } from './usage.ts'

export type { RunOptions } from './options.ts'
export type { FinishReason, Usage } from './usage.ts'

const ChatMessage = Type.Object(
  {
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]),
    content: Type.String({ maxLength: 1_000_000 })
  },
  { title: 'ChatMessage' }
)
const CliTool = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['read_file'] }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of an object' })
    )
  },
  { title: 'CliTool' }
)
const RunRequest = Type.Object(
  {
    agentId: Type.String({ examples: ['agent_01k4qz0000e0080000000000ab'] }),
    messages: Type.Array(ChatMessage, {
      minItems: 1,
      maxItems: 1_000,
      description: 'Appended to the session; its history need not be sent again'
    }),
    sessionId: Type.Optional(
      Type.String({ description: 'ID of the session to continue. Default: a new session' })
    ),
    multitaskStrategy: Type.Optional(
      Type.Union(
        [
          Type.Literal('enqueue'),
          Type.Literal('reject'),
          Type.Literal('interrupt'),
          Type.Literal('rollback')
        ],
        { default: 'enqueue', description: 'While the session has another run' }
      )
    ),
    attachments: Type.Optional(Type.Array(Type.Object({ fileId: Type.String() }), { maxItems: 20 })),
    provenance: Type.Optional(
      Type.Object({
        mode: Type.Optional(
          Type.Union([Type.Literal('off'), Type.Literal('metadata'), Type.Literal('full')])
        ),
        onchain: Type.Optional(Type.Boolean())
      })
    ),
    computerRequest: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    cliTools: Type.Optional(
      Type.Array(CliTool, {
        maxItems: 128,
        description:
          'Tools that the caller executes itself. One with the name of a tool of the agent takes its place in this run'
      })
    ),
    cliContext: Type.Optional(
      Type.String({ maxLength: 200_000, description: 'Appended to the system prompt' })
    ),
    options: Type.Optional(RunOptions)
  },
  { title: 'RunRequest' }
)

const call = {
  callId: Type.String({ examples: ['call_01k4qz0000e0080000000000ab'] }),
  toolName: Type.String(),
  args: Type.Unknown(),
  deadline: Time
}
const PendingCall = Type.Object(
  {
    ...call,
    for: Type.Union([Type.Literal('result'), Type.Literal('approval')], {
      description: 'What is waited for: its result, by the caller, or a decision about it, by an owner'
    })
  },
  { title: 'PendingCall', description: 'A call that is made, or whose result is given, from outside' }
)
const PendingQuestion = Type.Object(
  {
    ...call,
    for: Type.Literal('elicitation'),
    elicitationId: Type.String(),
    message: Type.String({ description: 'What the tool asks' }),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the content wanted' })
  },
  { title: 'PendingQuestion', description: 'A call whose tool asks before it goes on' }
)
export const Status = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('waiting'),
  Type.Literal('completed'),
  Type.Literal('failed'),
  Type.Literal('cancelled')
])
export const Run = Type.Object(
  {
    id: Type.String({ examples: ['run_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    sessionId: Type.String(),
    agentId: Type.String(),
    status: Status,
    content: OrNull(
      Type.String({ description: 'The answer; of a run that failed, what it said until then' })
    ),
    citations: Type.Array(Citation, { description: 'Empty where nothing is cited' }),
    finishReason: OrNull(finishReason),
    fallbacks: Type.Array(Fallback, { description: 'Switches to other models, in order. Empty for none' }),
    usage: Usage,
    error: OrNull(
      Type.Object({ message: Type.String(), code: Type.String(), retryAt: Type.Optional(retryAt) })
    ),
    pending: Type.Array(Type.Union([PendingCall, PendingQuestion])),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'Run' }
)
const ToolAnswer = Type.Object(
  {
    runId: Type.String(),
    callId: Type.String(),
    output: Type.Unknown({ description: 'Any JSON' }),
    isError: Type.Optional(Type.Boolean({ default: false }))
  },
  { title: 'CliToolResult' }
)
const after = Type.Optional(
  Type.Integer({ minimum: -1, maximum: 999_999_999, description: '`seq` of the last event received' })
)

export type RunRequest = Static<typeof RunRequest>
export type ChatMessage = Static<typeof ChatMessage>
export type Run = Static<typeof Run>
export type ToolAnswer = Static<typeof ToolAnswer>

const tags = ['runs']
const params = Type.Object({ runId: Type.String() })
/** Server-Sent Events: each `data:` frame holds one of these. */
const stream = {
  description: 'Server-Sent Events, each a `data: <JSON>` frame',
  content: { 'text/event-stream': { schema: runEvent(Usage, PendingCall, finishReason) } }
}

export const runAgent = {
  tags,
  summary: 'Run an agent to completion',
  description:
    'Returns when the run ends, when it waits for a result, an approval or an answer (`status: "waiting"`), or when it stands behind a run of its session that waits (`status: "queued"`).',
  body: RunRequest,
  response: { 200: Data(Run) }
}
export const streamRun = {
  tags,
  summary: 'Run an agent and stream its events',
  body: RunRequest,
  response: { 200: stream }
}
export const readRun = {
  tags,
  summary: 'Get a run',
  params,
  querystring: Type.Object({
    wait: Type.Optional(
      Type.Boolean({
        description:
          'Answered as `POST /v1/agents/run` is: once it has ended, waits, or stands behind one that does'
      })
    )
  }),
  response: { 200: Data(Run) }
}
export const cancelRun = {
  tags,
  summary: 'Cancel a run',
  description: 'Returns when it has ended. 409 for a run that had completed or failed before.',
  params,
  response: { 200: Data(Run) }
}
export const resumeRun = {
  tags,
  summary: 'Resume the stream of a run',
  params,
  body: Type.Union([Type.Null(), Type.Object({ after })]),
  querystring: Type.Object({ after }),
  response: { 200: stream }
}
export const followRun = {
  tags,
  summary: 'Follow the stream of a run',
  description: 'For EventSource: events carry ids, and `Last-Event-ID` resumes.',
  params,
  querystring: Type.Object({ after }),
  response: { 200: stream }
}
export const answerCall = {
  tags,
  summary: 'Return the result of a call to the waiting run',
  body: ToolAnswer,
  response: { 200: Data(Run) }
}
