import { OrNull, Page, Searching } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Run, Status } from './runs.ts'

const { id, owner, sessionId, agentId, status, usage, error, createdAt, endedAt } = Run.properties

const Waited = Type.Object(
  {
    callId: Type.String(),
    toolName: Type.String(),
    for: Type.Union([Type.Literal('result'), Type.Literal('approval'), Type.Literal('elicitation')]),
    deadline: Run.properties.createdAt
  },
  { title: 'WaitedFor', description: 'What a run waits for; the run itself has it with its arguments' }
)
export const ListedRun = Type.Object(
  {
    id,
    owner,
    sessionId,
    sessionTitle: OrNull(Type.String()),
    agentId,
    status,
    asked: OrNull(
      Type.String({
        description:
          'The beginning of the last message that it brought; null of runs that an older version began'
      })
    ),
    modelProvider: OrNull(Type.String({ description: 'Null until the run has ended' })),
    modelId: OrNull(Type.String()),
    usage,
    error,
    pending: Type.Array(Waited),
    createdAt,
    endedAt
  },
  { title: 'ListedRun', description: 'A run without what was said in it' }
)
export const RunQuery = Type.Object({
  ...Searching,
  status: Type.Optional(Status),
  agentId: Type.Optional(Type.String()),
  sessionId: Type.Optional(Type.String())
})

export type ListedRun = Static<typeof ListedRun>
export type RunQuery = Static<typeof RunQuery>

export const listRuns = {
  tags: ['runs'],
  summary: 'List runs',
  querystring: RunQuery,
  response: { 200: Page(ListedRun), 404: {} }
}
