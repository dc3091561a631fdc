import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ScopeShown } from './providers.ts'

const Status = Type.Enum(['pending', 'active', 'expired', 'revoked'], {
  description:
    'pending: nobody has agreed yet; expired: it has to be connected again; revoked: taken back, here or at the provider'
})
export const Connection = Type.Object(
  {
    id: Type.String({ examples: ['connection_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    providerKey: Type.String({ examples: ['github'] }),
    name: Name(),
    account: OrNull(Type.String({ description: 'Whose it is, as the provider calls it' })),
    scopes: Type.Array(Type.String(), { description: 'What was granted' }),
    status: Status,
    statusReason: OrNull(Type.String()),
    expiresAt: OrNull(
      Type.String({ format: 'date-time', description: 'When its token ends, to be renewed' })
    ),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'OAuthConnection' }
)
export type Connection = Static<typeof Connection>

/** What a row has beside what its owner sees. */
interface Kept {
  readonly accountId: string | null
  readonly sealed: string | null
  readonly generation: number
  readonly refreshingUntil: string | null
  readonly refreshingBy: number | null
  readonly retryAt: string | null
  readonly refusals: number
  readonly removingSince: string | null
}
export const connections = table<typeof Connection, Kept>('connections.connection', Connection, {
  also: [
    'accountId',
    'sealed',
    'generation',
    'refreshingUntil',
    'refreshingBy',
    'retryAt',
    'refusals',
    'removingSince'
  ],
  searched: ['name', 'account'],
  what: 'Connection'
})
export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof connections.find>>>

const ConnectionChanges = Changes(Connection, ['name'])

const NewConnection = Type.Object(
  {
    providerKey: Type.String(),
    name: Type.Optional(Name()),
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x2b\\x2d-\\x5b\\x5d-\\x7e]{1,200}$' }), {
        maxItems: 100,
        uniqueItems: true,
        description: 'What to ask for; left out: the provider’s usual ones'
      })
    ),
    returnUrl: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'Where people are sent afterwards: a path of the platform, or an address of an allowed origin. Whom a program sent reads first for whom that was'
      })
    ),
    connectionId: Type.Optional(
      Type.String({ description: 'One that is there already, to be connected again or for more' })
    )
  },
  { title: 'NewOAuthConnection' }
)
export type NewConnection = Static<typeof NewConnection>

const Asked = Type.Object(
  {
    connectionId: Type.String(),
    authorizationUrl: Type.String({
      description:
        'Where its owner agrees; shown once, so that a repetition by its `Idempotency-Key` lacks it'
    }),
    scopes: Type.Array(ScopeShown, { description: 'What is asked for' }),
    expiresAt: Time
  },
  { title: 'OAuthAuthorization' }
)

const Tested = Type.Object(
  {
    id: Type.String(),
    ok: Type.Boolean({ description: 'Whether the provider takes its token' }),
    status: Status,
    statusReason: OrNull(Type.String()),
    account: OrNull(Type.String()),
    milliseconds: Type.Integer()
  },
  { title: 'OAuthConnectionTest' }
)
export type Tested = Static<typeof Tested>

const tags = ['connections']
const params = Type.Object({ connectionId: Type.String() })

export const connect = {
  tags,
  summary: 'Ask for a connection: gives the address where its owner agrees',
  body: NewConnection,
  response: { 200: Data(Asked) }
}
/** Open: what comes back is said by another server. */
export const callback = {
  tags,
  summary: 'Where a provider sends people back to',
  params: Type.Object({ providerKey: Type.String() }),
  querystring: Type.Object(
    { state: Type.Optional(Type.String({ maxLength: 500 })) },
    { additionalProperties: true }
  ),
  response: {
    200: {
      content: { 'text/html': { schema: Type.String({ description: 'A page that says how it went' }) } }
    },
    303: Type.Null({ description: 'To the address that was named when it was asked for' })
  }
}
export const listConnections = {
  tags,
  summary: 'List connections',
  querystring: Type.Object({
    ...Searching,
    providerKey: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(Status)
  }),
  response: { 200: Page(Connection) }
}
export const readConnection = {
  tags,
  summary: 'Get a connection',
  params,
  response: { 200: Data(Connection) }
}
export const updateConnection = {
  tags,
  summary: 'Rename a connection',
  params,
  body: ConnectionChanges,
  response: { 200: Data(Connection) }
}
export const refreshConnection = {
  tags,
  summary: 'Renew the token of a connection',
  params,
  response: { 200: Data(Connection) }
}
export const testConnection = {
  tags,
  summary: 'Ask the provider whether it takes the token',
  params,
  response: { 200: Data(Tested) }
}
export const deleteConnection = {
  tags,
  summary: 'Take a connection back at its provider, and forget its tokens',
  description:
    'From the first moment nothing can use it. Where the provider cannot be told, 502 or 504: the connection stays, `revoked`, and the platform goes on trying; `?force=true` forgets it without.',
  params,
  querystring: Type.Object({ force: Type.Optional(Type.Boolean({ default: false })) }),
  response: { 200: Deleted }
}
