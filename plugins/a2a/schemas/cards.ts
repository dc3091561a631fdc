import { Type } from 'typebox'

const tags = ['a2a']
const params = Type.Object({ agentId: Type.String() })
const card = {
  description:
    'The card, for clients of versions 0.2 to 1.0 of the protocol, with the signature of the platform (JWS) over what 1.0 has of it',
  content: { 'application/json': { schema: Type.Unknown({ description: 'An agent card' }) } }
}
const response = { 200: card, 304: { description: 'It is what `If-None-Match` names', content: {} } }
const querystring = Type.Object({
  agentId: Type.Optional(
    Type.String({ description: 'Needed unless one agent alone is published on the platform' })
  )
})

export const readCard = { tags, summary: 'Get the card of an agent', querystring, response }
export const readWellKnownCard = {
  tags,
  summary: 'Get the card of an agent, where the protocol has it since 0.3',
  querystring,
  response
}
export const readCardByPath = { tags, summary: 'Get the card of an agent by its path', params, response }
export const readWellKnownCardByPath = {
  tags,
  summary: 'Get the card of an agent below its own address',
  params,
  response
}
