import { Changes, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Id = (example: string) => Type.String({ examples: [example] })

const title = OrNull(Type.String({ minLength: 1, maxLength: 200, examples: ['Trip to Lisbon'] }))
const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Whatever the caller likes to keep with it, up to 16 KiB as JSON',
  examples: [{ channel: 'web' }]
})

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
    version: Type.Integer({ description: 'Counts edits, not messages; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Session' }
)
const SessionChanges = Changes(
  Type.Object({ ...Session.properties, metadata: OrNull(metadata) }, { title: 'Session' }),
  ['title', 'metadata']
)
const Message = Type.Object(
  {
    id: Id('message_01k4qz0000e0080000000000ab'),
    sessionId: Type.String(),
    runId: OrNull(Type.String({ description: 'The run that said it or was told it' })),
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]),
    content: Type.String(),
    createdAt: Time
  },
  { title: 'SessionMessage' }
)
const FullSession = Type.Object(
  { ...Session.properties, messages: Type.Array(Message, { description: 'All of them, the oldest first' }) },
  { title: 'FullSession' }
)

export type Session = Static<typeof Session>
export type NewSession = Static<typeof NewSession>
export type SessionChanges = Static<typeof SessionChanges>
export type Message = Static<typeof Message>

const tags = ['sessions']
const params = Type.Object({ id: Type.String() })
const querystring = Type.Object({ ...Paging })
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
  params: Type.Object({ sessionId: Type.String() }),
  querystring,
  response: { 200: Page(Message) }
}
