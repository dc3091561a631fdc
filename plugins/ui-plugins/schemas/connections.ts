import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params } from './apps.ts'

const status = Type.Enum(['missing', 'set', 'off'], {
  description: 'off: it has been turned off, and keeps its key'
})
const sentAs = Type.Enum(['bearer', 'header', 'query'])
const AppConnection = Type.Object(
  {
    key: Type.String({ examples: ['weather-api'] }),
    name: Type.String({ description: 'What people call the service' }),
    description: OrNull(Type.String({ description: 'Where one gets such a key' })),
    hosts: Type.Array(Type.String(), { description: 'Which get the key, and nobody else does' }),
    sentAs,
    oauth: OrNull(
      Type.Object(
        { provider: Type.String(), scopes: Type.Array(Type.String()) },
        { description: 'Which OAuth connection may stand for a key; null where one to the same hosts may' }
      )
    ),
    declaredBy: Type.Array(Type.Enum(['enabled', 'draft']), {
      description: 'Which versions have it; what is told here is of the enabled one, if that is among them'
    }),
    changed: OrNull(
      Type.Object(
        { hosts: Type.Array(Type.String()), sentAs },
        {
          description:
            'Where the draft would send it, and how, once it is enabled; null where that is the same'
        }
      )
    ),
    required: Type.Boolean({ description: 'Whether the app is of no use without it' }),
    status,
    connectionId: OrNull(Type.String({ description: 'Of an OAuth connection that stands for a key' })),
    lastUsedAt: OrNull(Time),
    lastFailedAt: OrNull(Time),
    lastFailure: OrNull(Type.String({ examples: ['status 401'] })),
    updatedAt: OrNull(Time)
  },
  { title: 'AppConnection' }
)
export type AppConnection = Static<typeof AppConnection>

const NewConnection = Type.Object(
  {
    value: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 8_192,
        pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
        description: 'The key; it is sealed, and never shown again'
      })
    ),
    connectionId: Type.Optional(
      Type.String({
        description:
          'An OAuth connection of the app’s owner instead of a key, to a provider of the same hosts'
      })
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'false: no call gets the key' }))
  },
  { title: 'NewAppConnection', additionalProperties: false, minProperties: 1 }
)
export type NewConnection = Static<typeof NewConnection>

/** What facts tell of a connection. */
const ConnectionEvent = Type.Object({
  id: Type.String(),
  pluginId: Type.String(),
  key: Type.String(),
  status
})
export type ConnectionEvent = Static<typeof ConnectionEvent>

const tags = ['ui-plugins']
export const listConnections = {
  tags,
  summary: 'List external connections and their status',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(AppConnection) }
}
export const setConnection = {
  tags,
  summary: 'Save a connection key or turn it off',
  params: Type.Object({ ...params.properties, key: Type.String() }),
  body: NewConnection,
  response: { 200: Data(AppConnection) }
}
