import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { isSecretKey } from './database/vault/secret-key.ts'

const PerMinute = (byDefault: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: byDefault, description })
const HttpUrl = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', pattern: '^https?://', description }))

/** Every variable that the kernel reads. Packs name theirs in their own manifests. */
export const Environment = Type.Object({
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on; `0.0.0.0` for all IPv4 addresses'
  }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on; `0` for any free port'
  }),
  DATA_DIR: Type.String({
    default: '.data',
    description: 'Folder of the embedded database, versions of packs, compiled code, and the master key'
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'URL of a PostgreSQL 15 or newer: `postgres://user:password@host:5432/name`. Default: an embedded PostgreSQL'
    })
  ),
  DATABASE_POOL_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'URL of a transaction-mode pooler (PgBouncer) for the database of `DATABASE_URL`, used except for notifications and prepared statements'
    })
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'URL of a streaming replica of the database of `DATABASE_URL`, which answers reports on usage and activity'
    })
  ),
  DATABASE_REPLICA_LAG_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 10,
    description: 'Maximum lag of the replica in seconds; beyond it, the primary answers'
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      description:
        'URL of a Redis for rate limits, caches and notifications between instances; use a Redis database of its own'
    })
  ),
  NODE_ENV: Type.Optional(
    Type.String({ description: 'Set to `production` for production mode; any other value means development' })
  ),
  DEPLOYMENT: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]*$',
      description:
        'Name of the deployment file `config/<name>.json`. Default: the value of `NODE_ENV`, or `development`'
    })
  ),
  API_AUTH_REQUIRED: Type.Boolean({
    default: true,
    description:
      '`false` turns authentication off: every caller is the same local user. Only on loopback, never in production'
  }),
  AUTH_URL: HttpUrl(
    'URL of an external issuer of access tokens (OpenID Connect or OAuth 2.0). Default: only access tokens of this platform are accepted'
  ),
  BASE_URL: HttpUrl(
    'Public URL of the platform, and the required audience of access tokens. Required with `AUTH_URL`. Default: from `HOST` and `PORT`'
  ),
  TRUST_PROXY: Type.String({
    default: 'false',
    pattern: '^(true|false|[0-9]{1,2}|[0-9a-fA-F.:/, ]+)$',
    description:
      'Proxies whose `X-Forwarded-For` is trusted: `true` for all, a number of hops, or comma-separated addresses and ranges'
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description: 'Allowed origins of web pages that call the API, comma-separated. Default: none'
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Minimum level of log entries, which are JSON lines on standard output'
  }),
  PLATFORM_SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Master key under which all secrets are encrypted, 32 bytes in base64. Required in production. Default in development: created in `DATA_DIR`'
    })
  ),
  JSON_MAX_VALUES: Type.Integer({
    minimum: 1_000,
    maximum: 10_000_000,
    default: 120_000,
    description:
      'Maximum number of values in a JSON request body. Each distinct name counts as two. Larger bodies return 413. Parsing a body at the default limit blocks the process for up to 50 ms'
  }),
  GATEWAY_LIMIT_PER_MINUTE: PerMinute(600, 'Maximum requests per minute and project'),
  PLATFORM_LIMIT_PER_MINUTE: PerMinute(120, 'Maximum requests per minute to one agent'),
  SENSITIVE_LIMIT_PER_MINUTE: PerMinute(20, 'Maximum requests per minute of one user to one sensitive route'),
  ANONYMOUS_LIMIT_PER_MINUTE: PerMinute(
    60,
    'Maximum requests per minute of one IP address without a valid credential'
  )
})

export interface Settings
  extends Omit<Static<typeof Environment>, 'CORS_ORIGINS' | 'DEPLOYMENT' | 'BASE_URL'> {
  readonly CORS_ORIGINS: readonly string[]
  readonly DEPLOYMENT: string
  readonly BASE_URL: string
  readonly production: boolean
  /** The whole environment, for the settings of packs that name a variable. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

const ajv = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: true, strict: false })
formats.default(ajv)
const check = ajv.compile(Environment)

/**
 * The settings of this process, and every fault in them as one line each; where there is a fault the rest of
 * the settings are still usable to look for more.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): {
  settings: Settings
  faults: readonly string[]
} {
  const given: Record<string, unknown> = Object.fromEntries(
    Object.keys(Environment.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  )
  const faults: string[] = []
  if (!check(given))
    for (const { instancePath, message, params } of check.errors ?? []) {
      const name = instancePath.slice(1)
      faults.push(
        `${name} ${params.allowedValues ? `must be one of ${params.allowedValues.join(', ')}` : message}`
      )
      delete given[name]
    }
  check(given)
  const values = given as unknown as Static<typeof Environment>
  const production = values.NODE_ENV === 'production'
  const settings: Settings = {
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    CORS_ORIGINS: values.CORS_ORIGINS.split(',').flatMap((origin) => origin.trim() || []),
    DEPLOYMENT: values.DEPLOYMENT ?? values.NODE_ENV ?? 'development',
    BASE_URL: (values.BASE_URL ?? `http://${hostOfUrl(values.HOST)}:${values.PORT}`).replace(/\/$/, ''),
    production,
    environment: env
  }
  return { settings, faults: [...faults, ...contradictions(settings, env)] }
}

function contradictions(settings: Settings, env: Readonly<Record<string, string | undefined>>): string[] {
  const faults: string[] = []
  if (settings.production && !settings.PLATFORM_SECRET_KEY)
    faults.push('PLATFORM_SECRET_KEY is required in production (32 bytes in base64: openssl rand -base64 32)')
  if (!settings.API_AUTH_REQUIRED && settings.production)
    faults.push('API_AUTH_REQUIRED must not be false in production')
  if (!settings.API_AUTH_REQUIRED && !isLoopback(settings.HOST))
    faults.push(
      'API_AUTH_REQUIRED must not be false on an address that others can reach; HOST must be loopback'
    )
  if (settings.AUTH_URL && !env.BASE_URL)
    faults.push('AUTH_URL needs BASE_URL, the audience that access tokens must name')
  if (settings.PLATFORM_SECRET_KEY && !isSecretKey(settings.PLATFORM_SECRET_KEY))
    faults.push('PLATFORM_SECRET_KEY must be 32 bytes in base64, several of them separated by commas')
  if (!/^(?:true|false|\d+)$/.test(settings.TRUST_PROXY))
    for (const address of settings.TRUST_PROXY.split(',').map((part) => part.trim()))
      if (!isAddress(address))
        faults.push(`TRUST_PROXY: ${JSON.stringify(address)} is no address and no range`)
  for (const origin of settings.CORS_ORIGINS)
    if (!isOrigin(origin))
      faults.push(`CORS_ORIGINS: ${JSON.stringify(origin)} is not an origin such as https://example.com`)
  return faults
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

/** One address, or a range of them with the length of its prefix. */
function isAddress(text: string): boolean {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const within = (bits: number) => length === undefined || (Number(length) > 0 && Number(length) <= bits)
  return version !== 0 && within(version === 4 ? 32 : 128)
}
const hostOfUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/** Whether a host name or address, without a port, is this machine's own loopback. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
