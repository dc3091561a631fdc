import type { JsonWebKey } from 'node:crypto'
import { Data, Deleted, Name, OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Time = (description: string) => Type.String({ format: 'date-time', description })
const Scope = Type.String({ minLength: 1, maxLength: 80, examples: ['agents:read', 'goals:write'] })

const Lists = (description: string) => OrNull(Type.Array(Type.Array(Type.String()), { description }))
const Token = Type.Object(
  {
    expiresAt: OrNull(Time('Since when it is good for nothing')),
    agents: OrNull(Type.Array(Type.String(), { description: 'These agents, and what belongs to them' })),
    tools: Lists('A tool that its runs call has its name or id in each of these lists'),
    hosts: Lists('What its runs connect to is within each of these lists'),
    spend: Type.Array(Type.String(), {
      description: 'Credits that its runs cost in total, at most, by each limit'
    })
  },
  { title: 'NarrowedToken', description: 'What the holders of a token took away, all of them together' }
)
const Identity = Type.Object(
  {
    principalId: Type.String({ examples: ['ada@example.com'] }),
    principalType: Type.Enum(['user', 'agent', 'service']),
    project: Type.String(),
    owner: Type.String({ description: 'To whom belongs what the caller makes' }),
    initiator: OrNull(Type.String({ description: 'For whom a service acts' })),
    scopes: Type.Array(Scope),
    narrowed: Type.Boolean({
      description: 'The credential has a list of scopes, so that routes by ownership need one too'
    }),
    token: OrNull(Token)
  },
  { title: 'Identity' }
)
const NewApiKey = Type.Object(
  {
    name: Name({ examples: ['Nightly report'] }),
    scopes: Type.Optional(
      Type.Array(Scope, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "A subset of the caller's; left out: what the caller's credential may"
      })
    )
  },
  { title: 'NewApiKey' }
)
const ApiKey = Type.Object(
  {
    id: Type.String({ examples: ['key_01k4qz0000e0080000000000ab'] }),
    name: Type.String(),
    prefix: Type.String({ examples: ['apk_x7Kd'] }),
    scopes: Type.Array(Scope),
    createdAt: Time('When it was made'),
    lastUsedAt: OrNull(Time('Within a minute or so')),
    revokedAt: OrNull(Time('Since when it is good for nothing'))
  },
  { title: 'ApiKey' }
)
const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.Optional(
      Type.String({ description: 'The whole of it, here alone: absent where the reply is repeated' })
    )
  },
  { title: 'CreatedApiKey' }
)
const PublicKey = Type.Unsafe<JsonWebKey>(
  Type.Object(
    {
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String()
    },
    { title: 'PublicKey', description: 'A JSON Web Key' }
  )
)

export type Identity = Static<typeof Identity>
export type NewApiKey = Static<typeof NewApiKey>

const tags = ['access']
export const identify = { tags, summary: 'Identify the caller', response: { 200: Data(Identity) } }
export const createApiKey = {
  tags,
  summary: "Create a key of the caller's own principal",
  body: NewApiKey,
  response: { 201: Data(CreatedApiKey) }
}
export const listApiKeys = {
  tags,
  summary: "List the keys of the caller's own principal",
  querystring: Type.Object(Paging),
  response: { 200: Page(ApiKey) }
}
export const revokeApiKey = {
  tags,
  summary: 'Revoke a key, and what was made with it',
  params: Type.Object({ id: Type.String() }),
  response: { 200: Deleted }
}
export const listPublicKeys = {
  tags,
  summary: 'Get the keys by which internal services check principal envelopes',
  response: { 200: Type.Object({ keys: Type.Array(PublicKey) }, { title: 'PublicKeySet' }) }
}
