import { Changes, Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const tags = ['app-storage']
const params = Type.Object({ pluginId: Type.String() })

const Provider = Type.Enum(['platform', 'postgresql', 'mongodb'], {
  description: 'The platform’s own store, or a database of your own'
})
const ConnectionSet = Type.Object({
  set: Type.Boolean({ description: 'Whether there is an address; it is never shown again' }),
  host: OrNull(Type.String({ description: 'Hosts and database of it' }))
})
const Amount = Type.Object({
  bytes: Type.Integer({ description: 'Of keys and values, as JSON' }),
  rows: Type.Integer({ description: 'Values and documents' })
})

const AppStorageState = Type.Object(
  {
    id: Type.String({ description: 'Of the installation' }),
    pluginId: Type.String(),
    provider: Provider,
    connection: ConnectionSet,
    status: Type.Enum(['ready', 'moving', 'failed'], {
      description: 'failed: the move has ended before its end; the data lies where it lay'
    }),
    target: OrNull(Type.Object({ provider: Provider, connection: ConnectionSet })),
    moved: Type.Integer({ description: 'Of the data that moves, values and documents that were copied' }),
    total: Type.Integer(),
    failure: OrNull(Type.String({ description: 'Code of what ended the move' })),
    used: OrNull(Type.Object(Amount.properties, { description: 'Null while the store cannot be reached' })),
    quota: Amount,
    version: Type.Integer({ description: 'Counts choices, 0 before the first; the ETag' }),
    updatedAt: OrNull(Time)
  },
  { title: 'AppStorageState' }
)
const AppStorageStateChanges = Changes(
  Type.Object(
    {
      ...AppStorageState.properties,
      connection: Type.Object(
        {
          url: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 2_000,
              description:
                'postgresql://user:password@host:5432/database, mongodb://… or mongodb+srv://…; never shown again',
              examples: ['postgresql://app:password@db.example.com:5432/app']
            })
          ),
          ca: Type.Optional(
            Type.String({
              maxLength: 65_536,
              pattern: '^\\s*-----BEGIN CERTIFICATE-----',
              description: 'PEM of the authority that its certificate is from, where that is not a usual one'
            })
          ),
          set: Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' })),
          host: Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' }))
        },
        { additionalProperties: false }
      )
    },
    { title: 'AppStorageState' }
  ),
  ['provider', 'connection']
)

export type AppStorageState = Static<typeof AppStorageState>
export type AppStorageStateChanges = Static<typeof AppStorageStateChanges>

const response = { 200: Data(AppStorageState) }
export const readStorage = { tags, summary: 'Get where the data of an app lies', params, response }
export const updateStorage = {
  tags,
  summary: 'Choose where the data of an app lies',
  description:
    'Connects to a database before it is kept. The data moves there in the background, with nothing lost.',
  params,
  body: AppStorageStateChanges,
  response
}
