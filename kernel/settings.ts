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
    description: 'Address to listen on; `0.0.0.0` is every one of IPv4'
  }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on; `0`: any that is free'
  }),
  DATA_DIR: Type.String({
    default: '.data',
    description:
      'Folder of the embedded database, of the versions of packs, of what was compiled, and of the secret key'
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'PostgreSQL 15 or newer instead of the embedded one: `postgres://user:password@host:5432/name`'
    })
  ),
  DATABASE_POOL_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'A pooler that works by transaction (PgBouncer) before the database of `DATABASE_URL`, for all but notifications and prepared statements'
    })
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'A streaming replica of the database of `DATABASE_URL`, which answers what may be a little behind: usage and activity'
    })
  ),
  DATABASE_REPLICA_LAG_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 10,
    description: 'How far behind that replica may be; further, the primary answers'
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      description: 'Limits, caches and signals over Redis; give the platform a database of its own'
    })
  ),
  NODE_ENV: Type.Optional(
    Type.String({ description: 'Set to `production` for production mode; any other value means development' })
  ),
  DEPLOYMENT: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]*$',
      description: 'Which `config/<name>.json`; else the value of `NODE_ENV`, else `development`'
    })
  ),
  API_AUTH_REQUIRED: Type.Boolean({
    default: true,
    description: '`false`: everyone is one local user; on loopback only, never in production'
  }),
  AUTH_URL: HttpUrl(
    'Issuer of access tokens, which tells its keys by OpenID Connect or OAuth 2.0; without it no token is accepted'
  ),
  BASE_URL: HttpUrl(
    'Own public address, the audience that access tokens must name: required with `AUTH_URL`, else made of `HOST` and `PORT`'
  ),
  TRUST_PROXY: Type.String({
    default: 'false',
    pattern: '^(true|false|[0-9]{1,2}|[0-9a-fA-F.:/, ]+)$',
    description:
      'Whose `X-Forwarded-For` is believed: `true` all, a number of hops, or addresses and ranges, comma-separated'
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins of web pages that may call, comma-separated; none by default'
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged, as JSON lines on standard output'
  }),
  PLATFORM_SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        '32 bytes in base64, wraps all sealed secrets; required in production, made once in `DATA_DIR` elsewhere'
    })
  ),
  GATEWAY_LIMIT_PER_MINUTE: PerMinute(600, 'Requests a minute of one project'),
  PLATFORM_LIMIT_PER_MINUTE: PerMinute(120, 'Requests a minute that address one agent'),
  SENSITIVE_LIMIT_PER_MINUTE: PerMinute(20, 'Requests a minute of one user to one sensitive route'),
  ANONYMOUS_LIMIT_PER_MINUTE: PerMinute(
    60,
    'Requests a minute of one address without a credential or with a wrong one'
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
