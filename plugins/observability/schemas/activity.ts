import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const ActivityEvent = Type.Object(
  {
    id: Type.String(),
    type: Type.String({ description: 'What was done', examples: ['runs.completed'] }),
    owner: Type.String({ description: 'Whose it is' }),
    actor: Type.String({ description: 'Who did it: a person, a service or an agent' }),
    subject: Type.String({ description: 'The id of what it was done to' }),
    agentId: OrNull(Type.String()),
    sessionId: OrNull(Type.String()),
    runId: OrNull(Type.String()),
    details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Ids, names, states and numbers; never what was said'
    }),
    at: Time
  },
  { title: 'ActivityEvent' }
)
const type = Type.Optional(
  Type.String({
    maxLength: 1_000,
    description: 'Types, or the beginnings of types up to the point, with commas between them',
    examples: ['runs.,agents.updated']
  })
)
const id = Type.Optional(Type.String({ maxLength: 128 }))
const from = Type.Optional(Type.String({ format: 'date-time', description: 'Included' }))
const to = Type.Optional(Type.String({ format: 'date-time', description: 'Not included' }))
const narrowed = { ...Paging, type, actor: id, sessionId: id, runId: id, from, to }

const ActivityQuery = Type.Object({ ...narrowed, agentId: id })
const LogQuery = Type.Object(narrowed)
const FeedQuery = Type.Object({
  type,
  agentId: id,
  after: Type.Optional(
    Type.Integer({
      minimum: -1,
      description: '`seq` of the last event that was received; so does `Last-Event-ID`'
    })
  )
})

export type ActivityQuery = Static<typeof ActivityQuery>
export type LogQuery = Static<typeof LogQuery>
export type FeedQuery = Static<typeof FeedQuery>

const tags = ['observability']
export const listActivity = {
  tags,
  summary: 'Platform activity feed',
  description: 'What was done of what the caller reaches, newest first.',
  querystring: ActivityQuery,
  response: { 200: Page(ActivityEvent), 404: {} }
}
export const followActivity = {
  tags,
  summary: 'Follow the activity feed',
  description:
    "Server-Sent Events, as `ActivityEvent` with `seq`, resumable; the caller's own, of a service its whole project. Narrowed by `type` or `agentId` it leaves out numbers.",
  querystring: FeedQuery,
  response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } }, 404: {} }
}
export const listLogs = {
  tags,
  summary: 'Activity log entries of an agent',
  description: 'Who did what with the agent, and what it did, newest first.',
  params: Type.Object({ agentId: Type.String({ maxLength: 128 }) }),
  querystring: LogQuery,
  response: { 200: Page(ActivityEvent) }
}
