import type { FastifyBaseLogger } from 'fastify'
import type { TokenIssuer } from '../contract/declarations.ts'
import type { Data } from '../database/database.ts'
import { createIdempotency } from '../idempotency/idempotency.ts'
import { createRepeats } from '../idempotency/repeats.ts'
import { createCredentials } from '../identity/credentials.ts'
import { createEnvelope } from '../identity/envelope.ts'
import { createLocalAccess } from '../identity/local.ts'
import type { OwnerOfAgent } from '../identity/project-keys.ts'
import { createProjects } from '../identity/projects.ts'
import { createTokens } from '../identity/tokens.ts'
import { createAgentLimit } from '../limits/agent-limit.ts'
import { createLimits } from '../limits/limits.ts'
import { createPackLimit } from '../limits/pack-limit.ts'
import type { Settings } from '../settings.ts'
import { createApp } from './app.ts'
import { createGuard } from './guard.ts'
import type { Health } from './health.ts'
import { limitJson } from './json-scan.ts'
import { createSessionCookie } from './session-cookie.ts'

interface Options {
  readonly settings: Settings
  readonly data: Data
  readonly signals: {
    readonly connected: boolean
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
  }
  readonly log: FastifyBaseLogger
  readonly ownerOfAgent: OwnerOfAgent
  /** Who issues access tokens within the platform. */
  readonly issuers: () => readonly TokenIssuer[]
}

/** Everything that stands between a caller and a route. */
export function createGateway({ settings, data, signals, log, ownerOfAgent, issuers }: Options) {
  limitJson(settings.JSON_MAX_VALUES)
  const { AUTH_URL: authUrl, BASE_URL: baseUrl, REDIS_URL: redisUrl, CORS_ORIGINS: corsOrigins } = settings
  const { knex, presence, vault, transaction } = data
  const limits = createLimits({
    knex,
    redisUrl,
    log,
    limits: {
      gateway: settings.GATEWAY_LIMIT_PER_MINUTE,
      platform: settings.PLATFORM_LIMIT_PER_MINUTE,
      sensitive: settings.SENSITIVE_LIMIT_PER_MINUTE,
      anonymous: settings.ANONYMOUS_LIMIT_PER_MINUTE
    }
  })
  const tokens = createTokens({ authUrl, issuers, baseUrl, log })
  const credentials = createCredentials({ knex, signals, tokens, transaction, ownerOfAgent })
  const projects = createProjects({ knex, signals, credentials, ownerOfAgent })
  const isAlive = async (instance: number) => !(await presence.dead()).includes(instance)
  const idempotency = createIdempotency({ knex, instance: presence.id, isAlive, log })
  const sessionCookie = createSessionCookie(baseUrl)
  const guard = createGuard({
    resolve: credentials.resolve,
    limits,
    believing: () => signals.connected,
    sessionCookie,
    ...(!settings.API_AUTH_REQUIRED && createLocalAccess(corsOrigins))
  })
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  return {
    guard,
    credentials,
    projects,
    sessionCookie,
    envelope: createEnvelope({ knex, vault, baseUrl, log }),
    repeat: createRepeats(idempotency),
    limitAgent: createAgentLimit(limits),
    guess: limits.guess,
    limitOf: (pack: string) => createPackLimit(limits, pack),
    prepare: (health: Health) => createApp({ trustProxy: settings.TRUST_PROXY, corsOrigins, health }),
    /** Removes what has expired; to be called every hour. */
    prune() {
      for (const prune of [limits.prune, idempotency.prune, credentials.prune])
        prune().catch(warn('old rows were not removed'))
    },
    async close(): Promise<void> {
      await limits.close()
    }
  }
}
export type Gateway = ReturnType<typeof createGateway>
