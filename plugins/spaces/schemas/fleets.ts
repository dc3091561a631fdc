import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const FleetAgent = Type.Object(
  {
    agentId: Type.String(),
    memberId: Type.String(),
    name: Type.String(),
    isBusy: Type.Boolean({ description: 'A run of it is under way' }),
    runIds: Type.Array(Type.String()),
    place: OrNull(Type.String({ description: 'Where it is, as was last reported' })),
    note: OrNull(Type.String({ description: 'What it does, as was last reported' })),
    reportedAt: OrNull(Time)
  },
  { title: 'FleetAgent' }
)
const World = Type.Object(
  {
    id: Type.String({ examples: ['fleet_01k4qz0000e0080000000000ab'] }),
    spaceId: Type.String(),
    name: Type.String(),
    agents: Type.Array(FleetAgent, { description: 'The oldest members first; the first thousand' }),
    seq: Type.Integer({
      description: 'Of the updates, as this was read: follow what comes with `stream?after=`'
    })
  },
  { title: 'FleetWorld' }
)
const Peer = Type.Object(
  {
    ...FleetAgent.properties,
    isPreferred: Type.Boolean({
      description: 'The agent that asks, or `agentId`, has it among its preferred peers'
    })
  },
  { title: 'FleetPeer' }
)
const FleetEvent = Type.Object(
  {
    fleetId: Type.String({ maxLength: 128 }),
    agentId: Type.String({ maxLength: 128, description: 'Of whom it tells' }),
    type: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['arrived'] }),
    place: Type.Optional(
      OrNull(
        Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', description: 'Where it is from now on' })
      )
    ),
    note: Type.Optional(
      OrNull(
        Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$', description: 'What it does from now on' })
      )
    ),
    data: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
        Type.Union([
          Type.String({ maxLength: 1_000, pattern: '^[^\\u0000]*$' }),
          Type.Number(),
          Type.Boolean()
        ]),
        { maxProperties: 20, description: 'Goes into the updates, and is kept nowhere else' }
      )
    )
  },
  { title: 'NewFleetEvent' }
)
const Reported = Type.Object(
  { fleetId: Type.String(), agentId: Type.String(), type: Type.String() },
  { title: 'FleetEventReported' }
)
export type FleetAgent = Static<typeof FleetAgent>
export type World = Static<typeof World>
export type Peer = Static<typeof Peer>
export type FleetEvent = Static<typeof FleetEvent>

const tags = ['spaces']
const params = Type.Object({ id: Type.String() })
const PeerQuery = Type.Object({
  ...Paging,
  agentId: Type.Optional(Type.String({ maxLength: 128, description: 'Default: the calling agent' }))
})
export type PeerQuery = Static<typeof PeerQuery>

export const readWorld = {
  tags,
  summary: 'The agents of a fleet and their state',
  params,
  response: { 200: Data(World) }
}
export const listPeers = {
  tags,
  summary: 'List the other agents of a fleet, the preferred ones first',
  params,
  querystring: PeerQuery,
  response: { 200: Page(Peer) }
}
export const reportEvent = {
  tags,
  summary: 'Report what an agent of a fleet does',
  description: 'By the agent itself, who brought it, or an admin of the space.',
  body: FleetEvent,
  response: { 201: Data(Reported) }
}
