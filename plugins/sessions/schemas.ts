import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Id = (example: string) => Type.String({ examples: [example] })

const title = OrNull(Name({ examples: ['Trip to Lisbon'] }))
const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Whatever the caller likes to keep with it, up to 16 KiB as JSON',
  examples: [{ channel: 'web' }]
})

const ForkedFrom = Type.Object(
  {
    sessionId: Type.String({ description: 'May have been deleted since' }),
    messageId: OrNull(Type.String({ description: 'The last message that both have; null: none' }))
  },
  { title: 'ForkedFrom' }
)
const NewFork = Type.Object(
  {
    afterMessageId: Type.Optional(
      OrNull(
        Type.String({
          description:
            'The last message of the session that the fork contains, with the results of its tool calls; null: none. Default: the newest'
        })
      )
    ),
    title: Type.Optional(title),
    metadata: Type.Optional(metadata)
  },
  { title: 'NewFork' }
)
const NewSession = Type.Object(
  {
    agentId: Type.String({ description: 'The agent to talk with' }),
    title: Type.Optional(title),
    metadata: Type.Optional(metadata)
  },
  { title: 'NewSession' }
)
const Session = Type.Object(
  {
    id: Id('session_01k4qz0000e0080000000000ab'),
    agentId: Type.String(),
    owner: Type.String(),
    initiator: Type.String({ description: 'Who began it' }),
    title,
    metadata,
    forkedFrom: OrNull(ForkedFrom),
    version: Type.Integer({ description: 'Counts edits, not messages; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Session' }
)
const message = {
  id: Id('message_01k4qz0000e0080000000000ab'),
  sessionId: Type.String(),
  runId: OrNull(Type.String({ description: 'The run that said it or received it' })),
  content: Type.String(),
  createdAt: Time
}
const GivenMessage = Type.Object(
  {
    ...message,
    role: Type.Union([Type.Literal('user'), Type.Literal('system')]),
    untrusted: Type.Optional(
      Type.Boolean({ description: 'Came from outside; models are told to follow no instruction in it' })
    ),
    isSummary: Type.Optional(
      Type.Boolean({
        description:
          'A summary that models are given instead of earlier messages, which stay readable; absent for other messages'
      })
    ),
    attachments: Type.Optional(
      Type.Array(Type.Object({ fileId: Type.String() }), { description: 'Images that the model is shown' })
    )
  },
  { title: 'GivenMessage' }
)
const AssistantMessage = Type.Object(
  {
    ...message,
    role: Type.Literal('assistant'),
    toolCalls: Type.Array(
      Type.Object({ callId: Type.String(), toolName: Type.String(), args: Type.Unknown() }),
      { description: 'What it asked for; `content` is what it said before' }
    )
  },
  { title: 'AssistantMessage' }
)
const ToolMessage = Type.Object(
  {
    ...message,
    role: Type.Literal('tool'),
    callId: Type.String({ description: 'The call that it answers' }),
    toolName: Type.String(),
    isError: Type.Boolean()
  },
  { title: 'ToolMessage' }
)
const Message = Type.Union([GivenMessage, AssistantMessage, ToolMessage], { title: 'SessionMessage' })
const TranscriptMessage = Type.Union([GivenMessage, AssistantMessage], { title: 'TranscriptMessage' })
const FullSession = Type.Object(
  { ...Session.properties, messages: Type.Array(Message, { description: 'All of them, the oldest first' }) },
  { title: 'FullSession' }
)
const SessionChanges = Changes(
  Type.Object({ ...FullSession.properties, metadata: OrNull(metadata) }, { title: 'Session' }),
  ['title', 'metadata']
)

export type Session = Static<typeof Session>
export type NewSession = Static<typeof NewSession>
export type ForkedFrom = Static<typeof ForkedFrom>
export type NewFork = Static<typeof NewFork>
export type SessionChanges = Static<typeof SessionChanges>
export type Message = Static<typeof Message>
export type TranscriptMessage = Static<typeof TranscriptMessage>

const tags = ['sessions']
const params = Type.Object({ id: Type.String() })
const querystring = Type.Object({ ...Searching })
const agentId = Type.String()
const initiator = Type.String({ description: 'Who began them: a user, or whom a service acted for' })

export const createSession = {
  tags,
  summary: 'Create a session',
  body: NewSession,
  response: { 201: Data(Session) }
}
export const readSession = { tags, summary: 'Get a session', params, response: { 200: Data(Session) } }
export const readFullSession = {
  tags,
  summary: 'Get a session with its complete message history',
  params,
  response: { 200: Data(FullSession) }
}
export const listOfAgent = {
  tags,
  summary: 'List the sessions of an agent',
  params: Type.Object({ agentId }),
  querystring,
  response: { 200: Page(Session) }
}
export const listOfInitiator = {
  tags,
  summary: 'List the sessions of a user',
  params: Type.Object({ initiator }),
  querystring,
  response: { 200: Page(Session) }
}
export const listOfBoth = {
  tags,
  summary: 'List the sessions of one agent and user',
  params: Type.Object({ agentId, initiator }),
  querystring,
  response: { 200: Page(Session) }
}
export const forkSession = {
  tags,
  summary: 'Fork a session',
  description:
    'Copies the session up to a message into a new session, where another continuation is possible: to edit a message, to regenerate an answer, or to try an alternative. The session itself stays as it is.',
  params,
  body: NewFork,
  response: { 201: Data(Session) }
}
export const listBranches = {
  tags,
  summary: 'List the branches of a conversation',
  description: 'The session, the sessions that it was forked from, and all their forks.',
  params,
  querystring,
  response: { 200: Page(Session) }
}
export const updateSession = {
  tags,
  summary: 'Rename or update a session',
  params,
  body: SessionChanges,
  response: { 200: Data(Session) }
}
export const deleteSession = {
  tags,
  summary: 'Delete a session and its messages',
  params,
  response: { 200: Deleted }
}
export const readTranscript = {
  tags,
  summary: 'Read the chat transcript of a session, the newest message first',
  description: 'What `/full` has, without what tools said.',
  params: Type.Object({ sessionId: Type.String() }),
  querystring,
  response: { 200: Page(TranscriptMessage) }
}
