import { OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const state = Type.Enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'])
export const PeerTask = Type.Object(
  {
    id: Type.String({
      examples: ['run_01k4qz0000e0080000000000ab'],
      description: 'That of the run that it is'
    }),
    owner: Type.String(),
    agentId: Type.String(),
    sessionId: OrNull(Type.String({ description: 'Null until the run has begun' })),
    contextId: OrNull(Type.String({ description: 'The client’s own name of the conversation' })),
    externalId: OrNull(Type.String({ description: 'The client’s own name of the task, in 0.2' })),
    protocol: Type.String({ examples: ['1.0'], description: 'The version in which it was given' }),
    state,
    createdAt: Time,
    updatedAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'PeerTask' }
)
export type PeerTask = Static<typeof PeerTask>
export type State = PeerTask['state']

interface Kept {
  /** Of the message that began it. */
  readonly messageId: string | null
  /** Of the latest message that it was answered by. */
  readonly answerId: string | null
  readonly takesJson: boolean
}

export const peerTasks = table<typeof PeerTask, Kept>('a2a.task', PeerTask, {
  also: ['messageId', 'answerId', 'takesJson'],
  what: 'Task',
  type: 'run'
})

const tags = ['a2a']
const agentId = Type.String()
const after = Type.Optional(
  Type.Integer({ minimum: -1, maximum: 999_999_999, description: '`seq` of the last update received' })
)

const update = Type.Object(
  {
    type: Type.String({ examples: ['status', 'artifact'] }),
    taskId: Type.String(),
    contextId: Type.String(),
    seq: Type.Integer({ minimum: 0, description: 'Counts the updates of the task, without gaps' }),
    state: Type.Optional(state),
    artifactId: Type.Optional(Type.String()),
    append: Type.Optional(Type.Boolean({ description: 'false: in the place of what was said' })),
    parts: Type.Optional(Type.Array(Type.Unknown())),
    artifact: Type.Optional(Type.Unknown({ description: 'The whole answer, at the end' })),
    files: Type.Optional(Type.Array(Type.Unknown(), { description: 'What was made on the way, at the end' }))
  },
  { title: 'PeerTaskUpdate' }
)

export const listTasks = {
  tags,
  summary: 'List the recent tasks of an agent',
  params: Type.Object({ agentId }),
  querystring: Type.Object({ ...Paging, state: Type.Optional(state) }),
  response: { 200: Page(PeerTask) }
}
export const followTask = {
  tags,
  summary: 'Follow the updates of a task',
  description: 'For EventSource: updates carry ids, and `Last-Event-ID` resumes.',
  params: Type.Object({ agentId, taskId: Type.String() }),
  querystring: Type.Object({ after }),
  response: {
    200: {
      description: 'Server-Sent Events, each a `data: <JSON>` frame; `keepalive` repeats the last `seq`',
      content: { 'text/event-stream': { schema: update } }
    }
  }
}

const reply = Type.Unknown({ description: 'A JSON-RPC 2.0 reply' })
export const callAgent = {
  tags,
  summary: 'Give an agent a task (Agent2Agent protocol, JSON-RPC 2.0)',
  description:
    'The methods of 0.2 (`tasks/send` …), 0.3 (`message/send` …) and 1.0 (`SendMessage` …). The header `A2A-Version` says which one is meant where a method is the same in several.',
  params: Type.Object({ agentId }),
  body: Type.Unknown({
    examples: [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: { message: { role: 'user', messageId: 'm1', parts: [{ kind: 'text', text: 'Hello' }] } }
      }
    ]
  }),
  response: {
    200: {
      description: 'The reply, or a stream of replies',
      content: {
        'application/json': { schema: reply },
        'text/event-stream': {
          schema: Type.String({ description: 'Server-Sent Events, each a JSON-RPC reply' })
        }
      }
    }
  }
} as const
