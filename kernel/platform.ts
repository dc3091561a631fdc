import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createCaches } from './data/cache.ts'
import type { Connection } from './data/connect.ts'
import { openDatabase } from './data/connect.ts'
import { createPresence } from './data/presence.ts'
import { readSecretKey } from './data/secret-key.ts'
import { createTransaction } from './data/transaction.ts'
import { createVault } from './data/vault.ts'
import type { Deployment } from './deployment.ts'
import { createFacts } from './events/facts.ts'
import { createPoints } from './events/points.ts'
import { createSignals } from './events/signals.ts'
import { createAgentLimit } from './gateway/agent-limit.ts'
import { createApp } from './gateway/app.ts'
import { createCredentials } from './gateway/credentials.ts'
import { createEnvelope } from './gateway/envelope.ts'
import { createGuard } from './gateway/guard.ts'
import { createIdempotency } from './gateway/idempotency.ts'
import { createLimits } from './gateway/limits.ts'
import { createLocalAccess } from './gateway/local.ts'
import { createRepeats } from './gateway/repeats.ts'
import { createTokens } from './gateway/tokens.ts'
import { createBuilds } from './hosting/builds.ts'
import { createChanging } from './hosting/change.ts'
import { createDesired } from './hosting/desired.ts'
import { createFollowing } from './hosting/follow.ts'
import type { Listener, Surroundings } from './hosting/generation.ts'
import { emptyGeneration } from './hosting/generation.ts'
import { createHost } from './hosting/host.ts'
import { createHosting } from './hosting/hosting.ts'
import type { Hosting } from './hosting/info.ts'
import { createLoader } from './hosting/loader.ts'
import { createMigrator, kernelMigrations } from './hosting/migrator.ts'
import { createChangeRecords } from './hosting/records.ts'
import type { MountedRoute } from './hosting/routes.ts'
import { govern } from './hosting/routes.ts'
import { createGenerationServer } from './hosting/server.ts'
import { createShared } from './hosting/shared.ts'
import { createStates } from './hosting/states.ts'
import { createSteps } from './hosting/steps.ts'
import { createSwaps } from './hosting/swaps.ts'
import { upgradeHandler } from './hosting/upgrades.ts'
import type { Kernel } from './pack.ts'
import type { Settings } from './settings.ts'
import { channel, createStreams } from './streams/log.ts'

export interface PlatformOptions {
  readonly settings: Settings
  readonly deployment: Deployment
  readonly connection: Connection
  readonly version: string
  readonly log: FastifyBaseLogger
}

const RETRY_MS = 500
const HOUR_MS = 3_600_000

/** All parts of one running platform, put together. `main` and the tests both use it. */
export async function createPlatform({ settings, deployment, connection, version, log }: PlatformOptions) {
  const { DATA_DIR, REDIS_URL, BASE_URL, production } = settings
  const masterKeys = await readSecretKey({
    value: settings.PLATFORM_SECRET_KEY,
    dataDir: DATA_DIR,
    production
  })

  const database = openDatabase(connection)
  const { knex, hot } = database
  const transaction = createTransaction(knex)
  const presence = createPresence({ connection, log, version })
  const signals = createSignals({ presence, knex, redisUrl: REDIS_URL, log })
  const caches = createCaches({ redisUrl: REDIS_URL, log })
  const vault = createVault({ knex, masterKeys, log })
  const limits = createLimits({
    knex,
    redisUrl: REDIS_URL,
    log,
    limits: {
      gateway: settings.GATEWAY_LIMIT_PER_MINUTE,
      platform: settings.PLATFORM_LIMIT_PER_MINUTE,
      sensitive: settings.SENSITIVE_LIMIT_PER_MINUTE,
      anonymous: settings.ANONYMOUS_LIMIT_PER_MINUTE
    }
  })
  const tokens = createTokens({
    authUrl: settings.AUTH_URL,
    baseUrl: BASE_URL,
    cache: caches.cache('jwks'),
    log
  })
  const credentials = createCredentials({ knex, signals, tokens, log, transaction })
  const envelope = createEnvelope({ knex, vault, baseUrl: BASE_URL, log })
  const idempotency = createIdempotency({
    knex,
    instance: presence.id,
    isAlive: async (instance) => !(await presence.dead()).includes(instance),
    log
  })
  const guard = createGuard({
    resolve: credentials.resolve,
    touch: credentials.touch,
    limits,
    believing: () => signals.connected,
    ...(!settings.API_AUTH_REQUIRED && createLocalAccess(settings.CORS_ORIGINS))
  })

  const states = createStates(knex, presence.id)
  let migrated = false
  const health = {
    version,
    packs: () => ({ up: [...server.current().packs.keys()].sort(), failed: states.named('failed').sort() }),
    ready: () => ({ database: presence.connected, migrations: migrated, draining: server.draining() })
  }
  const prepare = () =>
    createApp({ trustProxy: settings.TRUST_PROXY, corsOrigins: settings.CORS_ORIGINS, health })
  const server = createGenerationServer(await emptyGeneration(prepare()), log)
  const { server: http, live, current } = server
  credentials.onRevoked((ids) => {
    guard.forget(ids)
    live.closeWhere(({ credential }) => credential !== undefined && ids.includes(credential))
  })
  http.on('upgrade', upgradeHandler({ server, guard }))

  const listeners = (): ReadonlyMap<string, Listener> => current().listeners
  const facts = createFacts({ knex, signals, log, listeners })
  const streams = createStreams({
    hot,
    signals,
    onServe: (request, close) => server.detach(request.raw, close)
  })
  presence.listen(channel, streams.heard)
  const points = createPoints({
    knex,
    signals,
    choices: deployment.choices,
    contributions: () => current().contributions
  })
  const shared = createShared()
  const steps = createSteps({ current, draining: server.draining, handOver: server.handOver })
  const loader = createLoader({ folders: deployment.folders, versions: join(DATA_DIR, 'packs'), log })
  const migrator = createMigrator({ knex, log })
  const desired = createDesired({ knex, vault, deployment, environment: settings.environment })
  const records = createChangeRecords(knex)
  const limitAgent = createAgentLimit(limits)
  const repeat = createRepeats(idempotency)

  const kernelFor = (pack: string, user: object): Kernel => ({
    knex,
    log: log.child({ pack }),
    platform: { version, production, baseUrl: BASE_URL },
    transaction,
    hot,
    facts: facts as Kernel['facts'],
    signals,
    points: points as Kernel['points'],
    streams: streams.streams,
    vault,
    credentials,
    limits: { agent: limitAgent },
    envelope,
    cache: caches.cache,
    advance: (name, id) => steps.advance(pack, name, id),
    shared: (key, open, close) => shared.hold(user, `${pack}/${key}`, open, close),
    hosting
  })
  const surroundings: Surroundings = {
    kernelFor,
    release: shared.release,
    prepare,
    mountRoutes(app, pack, add) {
      const mounted: MountedRoute[] = []
      govern(app, pack, { guard, repeat }, mounted)
      add(app)
      return mounted
    },
    report: (error, pack) => log.error({ err: error, pack }, 'a pack failed outside a request')
  }
  const builds = createBuilds({ migrator, surroundings, enlist: facts.enlist })
  const swaps = createSwaps({ log, server, states, records })
  const parts = { log, loader, desired, states, records, server, builds, swaps, instance: presence.id }
  const change = createChanging(parts)
  const follow = createFollowing(parts)
  const host = createHost({ knex, log, states, change, follow, signals })
  const hosting: Hosting = createHosting({
    host,
    loader,
    desired,
    states,
    records,
    server,
    facts,
    load: database.load
  })

  presence.onChange((connected) => {
    if (connected) streams.restored()
    else {
      streams.lost()
      database.cut()
    }
    if (connected && migrated)
      host.follow().catch((error) => log.error({ err: error }, 'packs could not be checked'))
  })
  const housekeeping = setInterval(() => {
    sweep()
    for (const prune of [limits.prune, idempotency.prune])
      prune().catch((error) => log.warn({ err: error }, 'housekeeping failed'))
  }, HOUR_MS).unref()
  let closing = false

  /** Versions of packs that nobody runs any more. */
  const sweep = () => {
    const inUse = new Set([...current().packs.values()].map(({ loaded }) => loaded.version))
    loader.sweep(inUse).catch((error) => log.warn({ err: error }, 'old versions of packs were not removed'))
  }

  /** Until there is a database, and then the first generation. */
  async function boot(): Promise<void> {
    for (let told = false; !closing; ) {
      try {
        const { failed } = await migrator.migrate([await kernelMigrations()])
        for (const error of failed.values()) throw error
        await presence.start()
        await host.follow()
        migrated = true
        facts.start()
        sweep()
        return
      } catch (error) {
        if (!told) log.error({ err: error }, 'not ready yet: trying again until the database answers')
        told = true
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  return {
    http,
    knex,
    credentials,
    hosting,
    host,
    loader,
    desired,
    facts,
    presence,
    vault,
    database,
    /** Listens at once; everything but /health is 503 until `ready`. */
    async listen(
      port = settings.PORT,
      hostname = settings.HOST
    ): Promise<{ port: number; ready: Promise<void> }> {
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject)
        http.listen({ port, host: hostname, backlog: 4_096 }, resolve)
      })
      return { port: (http.address() as { port: number }).port, ready: boot() }
    },
    /** The same without listening, for commands. */
    boot,
    packs: health.packs,
    /** What is wrong with environment variables that packs name, a line each. */
    async environmentFaults(): Promise<string[]> {
      const faults: string[] = []
      for (const found of (await loader.scan()).values()) {
        const loaded = 'digest' in found ? await loader.load(found).catch(() => undefined) : undefined
        faults.push(...desired.environmentFaults(loaded?.manifest.settings))
      }
      return faults
    },
    /** Reloads packs as their files change. */
    watch: () =>
      loader.watch((pack) => {
        host.reload({ id: 'platform' }, pack).then(
          () => log.info({ pack }, 'reloaded'),
          (error) => log.error({ pack, reason: error.message }, 'not reloaded')
        )
      }),
    /** Not ready, drain, hand over, close. Says how many requests were cut off. */
    async close(ms = 20_000): Promise<number> {
      closing = true
      clearInterval(housekeeping)
      await presence.drain()
      const dropped = http.listening ? await server.drain(ms) : 0
      await host.close()
      swaps.close()
      await current().stop()
      await facts.close()
      await idempotency.close()
      await streams.close()
      await credentials
        .close()
        .catch((error) => log.warn({ err: error }, 'last uses of credentials were not saved'))
      points.close()
      await signals.close()
      await presence.close()
      await Promise.all([limits.close(), caches.close(), database.close()])
      return dropped
    }
  }
}
export type Platform = Awaited<ReturnType<typeof createPlatform>>
