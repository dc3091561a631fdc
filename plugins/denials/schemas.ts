import { Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const caller = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(['user', 'agent', 'service']),
    initiator: OrNull(Type.String({ description: 'For whom a service acted' })),
    scopes: OrNull(
      Type.Array(Type.String(), {
        description: 'Of a credential that has some alone; null: of one that is not narrowed'
      })
    )
  },
  { title: 'DeniedCaller', description: 'Null: one of another project' }
)
const resource = Type.Object(
  { what: Type.String({ examples: ['Agent'] }), id: OrNull(Type.String()) },
  { title: 'DeniedResource', description: 'Null: nothing of anyone was looked at' }
)
const Kept = Type.Object(
  {
    id: Type.String({ examples: ['denial_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'Of what was asked for; where that is unknown, of the credential' }),
    requestId: Type.String({ description: 'As the caller was told it' }),
    method: Type.String(),
    route: OrNull(Type.String({ examples: ['/v1/agents/:agentId'] })),
    code: OrNull(Type.String({ description: 'As the caller was told it', examples: ['not_owner'] })),
    message: Type.String({ description: 'As the caller was told it' }),
    param: OrNull(Type.String()),
    caller: OrNull(caller),
    resource: OrNull(resource),
    createdAt: Time
  },
  { title: 'Denial' }
)
export const Denial = Type.Object(
  {
    ...Kept.properties,
    explanation: Type.String(),
    remedies: Type.Array(Type.String(), { description: 'What would let such a request through' })
  },
  { title: 'Denial' }
)
export const DenialQuery = Type.Object({
  ...Paging,
  requestId: Type.Optional(Type.String({ maxLength: 100, description: 'Of the error envelope' })),
  code: Type.Optional(Type.String({ maxLength: 100 }))
})

export type Kept = Static<typeof Kept>
export type Denial = Static<typeof Denial>
export type DenialQuery = Static<typeof DenialQuery>

export const denials = table('denials.denial', Kept)

const tags = ['denials']
const description = 'For the owner of what was asked for, and for services of its project.'

export const listDenials = {
  tags,
  summary: 'List requests that were answered with 403',
  description,
  querystring: DenialQuery,
  response: { 200: Page(Denial) }
}
export const readDenial = {
  tags,
  summary: 'Why a request was answered with 403',
  description,
  params: Type.Object({ denialId: Type.String() }),
  response: { 200: Data(Denial) }
}
