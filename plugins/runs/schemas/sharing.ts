import { Closed, Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Audience = Type.Union([Type.Literal('owner'), Type.Literal('project')], {
  description: 'Who reads the run: its owner alone, or every person and service of its project'
})
const RunSharing = Type.Object(
  {
    runId: Type.String(),
    audience: Audience,
    sharedBy: OrNull(Type.String()),
    sharedAt: OrNull(Time)
  },
  { title: 'RunSharing' }
)
export type RunSharing = Static<typeof RunSharing>
/** As it is told to other packs. */
export interface SharedRun {
  readonly runId: string
  readonly agentId: string
  readonly sessionId: string
}

const params = Type.Object({ runId: Type.String() })
const tags = ['runs']
export const readSharing = {
  tags,
  summary: 'Get the sharing of a run',
  params,
  response: { 200: Data(RunSharing) }
}
export const shareRun = {
  tags,
  summary: 'Update the sharing of a run',
  description:
    'Who it is shared with reads the run and follows its events, by its link. It is in none of their lists, and neither its session nor its files are opened.',
  params,
  body: Closed({ audience: Audience }),
  response: { 200: Data(RunSharing) }
}
