import { Changes, Closed, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const StandsFor = Type.Object(
  {
    type: Type.Union([Type.Literal('person'), Type.Literal('agent')]),
    name: Name({ description: 'As outsiders are told it', examples: ['Ada Lovelace'] }),
    agentId: OrNull(Type.String({ description: 'Of an agent of the platform' }))
  },
  { title: 'StandsFor' }
)
const writable = {
  name: Name({ examples: ['Ada’s assistant'] }),
  purpose: Type.String({
    minLength: 1,
    maxLength: 5_000,
    description: 'What it is there for, and what it may agree to',
    examples: ['Find a time for a call with Ada: weekdays from 9 to 12']
  }),
  mayTell: OrNull(
    Type.String({
      maxLength: 50_000,
      description: 'All that it knows, and may tell, about whom it stands for'
    })
  ),
  greeting: OrNull(Type.String({ maxLength: 1_000, description: 'For a page that offers it' })),
  dailyMessages: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Messages that outsiders may send it in a day (UTC), together'
  }),
  expiresAt: OrNull({ ...Time, description: 'From then on it answers nobody' })
}
export const Liaison = Type.Object(
  {
    id: Type.String({ examples: ['liaison_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String({ description: 'The agent that answers: an agent of its own, made with it' }),
    standsFor: StandsFor,
    ...writable,
    status: Type.Union([Type.Literal('open'), Type.Literal('expired')]),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Liaison' }
)
const token = Type.String({
  description: 'Public: who has it may speak to the liaison. Shown here alone',
  examples: ['lia_…']
})
const LiaisonWithToken = Type.Object({ ...Liaison.properties, token }, { title: 'LiaisonWithToken' })

const { name, purpose, ...optional } = writable
export const NewLiaison = Type.Object(
  {
    standsFor: Closed({
      type: StandsFor.properties.type,
      name: Type.Optional(Name({ description: 'Left out, of an agent: its name' })),
      agentId: Type.Optional(Type.String({ description: 'An agent of the caller; with type agent' }))
    }),
    name,
    purpose,
    ...Type.Partial(Type.Object(optional)).properties,
    modelProvider: Type.Optional(OrNull(Type.String({ minLength: 1, maxLength: 100 }))),
    modelId: Type.Optional(OrNull(Name())),
    tools: Type.Optional(
      Type.Array(
        Closed({
          toolId: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or its name' }),
          policy: Type.Optional(
            Type.Union([Type.Literal('allow'), Type.Literal('ask')], {
              default: 'ask',
              description: '`ask`: the owner approves each call'
            })
          )
        }),
        { maxItems: 32, description: 'All that it may use; needs the pack tools' }
      )
    )
  },
  { title: 'NewLiaison' }
)
const LiaisonChanges = Changes(Liaison, [
  'name',
  'purpose',
  'mayTell',
  'greeting',
  'dailyMessages',
  'expiresAt'
])

export const Outsider = Type.Object(
  {
    id: Type.String({ examples: ['outsider_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The liaison’s' }),
    liaisonId: Type.String(),
    agentId: Type.String(),
    name: OrNull(Name({ description: 'As it calls itself; nobody has checked that' })),
    sessionId: OrNull(Type.String({ description: 'The conversation with it' })),
    messages: Type.Integer({ description: 'That it sent' }),
    blockedAt: OrNull(Time),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Outsider' }
)
const OutsiderChanges = Type.Object(
  { blocked: Type.Boolean({ description: 'It is answered no more' }) },
  { title: 'OutsiderChanges', additionalProperties: false }
)

/** The status follows from the time, and is not kept. */
export const liaisons = table('liaison.liaison', Type.Omit(Liaison, ['status']), { what: 'Liaison' })
export const outsiders = table('liaison.outsider', Outsider)

export type Liaison = Static<typeof Liaison>
export type NewLiaison = Static<typeof NewLiaison>
export type LiaisonChanges = Static<typeof LiaisonChanges>
export type Outsider = Static<typeof Outsider>

const tags = ['liaison']
const params = Type.Object({ liaisonId: Type.String() })
const outsiderParams = Type.Object({ liaisonId: Type.String(), outsiderId: Type.String() })

export const createLiaison = {
  tags,
  summary: 'Create a liaison agent',
  description:
    'An agent that stands for a person or another agent towards outsiders. It has nothing but what is given here, and ' +
    'asks its owner by an approval before it goes beyond that.',
  body: NewLiaison,
  response: { 201: Data(LiaisonWithToken), 404: {}, 503: {} }
}
export const listLiaisons = {
  tags,
  summary: 'List liaisons',
  querystring: Type.Object(Paging),
  response: { 200: Page(Liaison) }
}
export const readLiaison = { tags, summary: 'Get a liaison', params, response: { 200: Data(Liaison) } }
export const updateLiaison = {
  tags,
  summary: 'Update a liaison',
  params,
  body: LiaisonChanges,
  response: { 200: Data(Liaison) }
}
export const deleteLiaison = {
  tags,
  summary: 'Delete a liaison',
  description: 'It answers nobody from then on. Its agent, and what was said, stay with their owner.',
  params,
  response: { 200: Deleted }
}
export const rotateToken = {
  tags,
  summary: 'Give a liaison another public token',
  description: 'The one before is good for nothing from then on; outsiders who have spoken to it go on.',
  params,
  response: { 200: Data(LiaisonWithToken) }
}
export const listOutsiders = {
  tags,
  summary: 'List whom a liaison has spoken with',
  params,
  querystring: Type.Object(Paging),
  response: { 200: Page(Outsider) }
}
export const updateOutsider = {
  tags,
  summary: 'Block an outsider, or let it speak again',
  params: outsiderParams,
  body: OutsiderChanges,
  response: { 200: Data(Outsider) }
}
