import type { Static } from 'typebox'
import { Type } from 'typebox'

const Count = (env: string, most: number, value: number, description: string, least = 1) =>
  Type.Integer({ env, minimum: least, maximum: most, default: value, description })

export const AppStorageSettings = Type.Object({
  quotaBytes: Count(
    'APP_STORAGE_QUOTA_BYTES',
    1_099_511_627_776,
    104_857_600,
    'What an installation of an app keeps at most, keys and values as JSON, in any store',
    1_024
  ),
  quotaRows: Count(
    'APP_STORAGE_QUOTA_ROWS',
    100_000_000,
    100_000,
    'Values and documents that an installation of an app keeps at most'
  ),
  outside: Type.Boolean({
    env: 'APP_STORAGE_OUTSIDE',
    default: true,
    description: 'Whether data of apps may lie in databases that their owners name'
  }),
  requireTls: Type.Boolean({
    env: 'APP_STORAGE_REQUIRE_TLS',
    default: true,
    description: 'Databases outside are connected to by TLS alone, with a certificate that is trusted'
  }),
  schema: Type.String({
    env: 'APP_STORAGE_SCHEMA',
    pattern: '^[a-z_][a-z0-9_]{0,62}$',
    default: 'agent_platform_apps',
    description:
      'Of the tables in a PostgreSQL outside: another one for each platform that uses the same database'
  }),
  connectMs: Count(
    'APP_STORAGE_CONNECT_MS',
    60_000,
    5_000,
    'How long connecting to a database outside may take'
  ),
  statementMs: Count(
    'APP_STORAGE_STATEMENT_MS',
    60_000,
    5_000,
    'How long a statement of an app may take: then 504 query_timeout',
    10
  ),
  pools: Count(
    'APP_STORAGE_POOLS',
    1_000,
    50,
    'Databases outside that an instance is connected to at a time'
  ),
  connections: Count(
    'APP_STORAGE_CONNECTIONS',
    50,
    4,
    'Connections to one database outside, of each instance'
  ),
  idleSeconds: Count('APP_STORAGE_IDLE_SECONDS', 86_400, 60, 'After so long without a call they are closed'),
  callsOfApp: Count(
    'APP_STORAGE_CALLS_OF_APP',
    50,
    3,
    'Calls of one app at a time on each instance; more wait'
  ),
  callsInAll: Count(
    'APP_STORAGE_CALLS_IN_ALL',
    100,
    6,
    'Calls to the platform’s own store at a time on each instance; more wait'
  )
})
export type AppStorageSettings = Static<typeof AppStorageSettings>
