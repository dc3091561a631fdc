import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from './data/connect.ts'
import { createData } from './data/data.ts'
import type { Deployment } from './deployment.ts'
import { createFacts } from './events/facts.ts'
import { createPoints } from './events/points.ts'
import { createSignals } from './events/signals.ts'
import { createGateway } from './gateway/gateway.ts'
import { emptyGeneration } from './hosting/generation.ts'
import { createHouse } from './hosting/house.ts'
import { createGenerationServer } from './hosting/server.ts'
import { createStates } from './hosting/states.ts'
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
  const data = await createData({ settings, connection, version, log })
  const { knex, presence, hot, vault, transaction, cache } = data
  const signals = createSignals({ presence, knex, redisUrl: settings.REDIS_URL, log })
  const gateway = createGateway({ settings, data, signals, log })
  const { guard, credentials, envelope } = gateway

  const states = createStates(knex, presence.id)
  let migrated = false
  const health = {
    version,
    packs: () => ({ up: [...current().packs.keys()].sort(), failed: states.named('failed').sort() }),
    ready: () => ({ database: presence.connected, migrations: migrated, draining: server.draining() })
  }
  const server = createGenerationServer(await emptyGeneration(gateway.prepare(health)), log)
  const { server: http, live, current } = server
  http.on('upgrade', upgradeHandler({ server, guard }))

  const facts = createFacts({ knex, signals, log, listeners: () => current().listeners })
  const hold: Kernel['hold'] = ({ raw }, close) => server.detach(raw, close)
  const streamLog = createStreams({ hot, signals, onServe: hold })
  const { streams } = streamLog
  const { choices } = deployment
  const points = createPoints({ knex, signals, choices, contributions: () => current().contributions })

  const kernelFor = (pack: string, user: object): Kernel => ({
    knex,
    log: log.child({ pack }),
    platform: { version, production: settings.production, baseUrl: settings.BASE_URL },
    transaction,
    hot,
    facts: facts as Kernel['facts'],
    signals,
    points: points as Kernel['points'],
    streams,
    vault,
    credentials,
    limits: { agent: gateway.limitAgent },
    envelope,
    cache,
    advance: (name, id) => house.steps.advance(pack, name, id),
    shared: (key, open, close) => house.shared.hold(user, `${pack}/${key}`, open, close),
    hold,
    hosting: house.hosting
  })
  const parts = { settings, deployment, data, gateway, signals, facts, server, states, health, log }
  const house = createHouse({ ...parts, kernelFor })

  const closeOf = (revoked: readonly string[]) =>
    live.closeWhere(({ credential }) => credential !== undefined && revoked.includes(credential))
  credentials.onRevoked((ids) => {
    guard.forget(ids)
    closeOf(ids)
  })
  // What was revoked while nothing was heard must not be believed afterwards, nor go on.
  signals.onChange((connected) => {
    if (!connected) guard.forget()
    else if (live.size > 0)
      credentials
        .listRevoked(live.credentials())
        .then(closeOf, (error) => log.warn({ err: error }, 'open streams could not be checked'))
  })
  presence.listen(channel, streamLog.heard)
  const watching = presence.onChange((connected) => {
    if (connected) streamLog.restored()
    else {
      streamLog.lost()
      data.cut()
    }
    if (connected && migrated)
      house.follow().catch((error) => log.error({ err: error }, 'packs could not be checked'))
  })
  const housekeeping = setInterval(() => {
    house.sweep()
    gateway.prune()
    facts.prune().catch((error) => log.warn({ err: error }, 'old facts were not removed'))
  }, HOUR_MS).unref()
  let closing = false

  /** Until there is a database, and then the first generation. */
  async function boot(): Promise<void> {
    for (let told = false; !closing; ) {
      try {
        await house.migrate()
        await presence.start()
        await facts.start()
        await house.follow()
        migrated = true
        house.sweep()
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
    facts,
    presence,
    vault,
    server,
    hosting: house.hosting,
    packs: health.packs,
    environmentFaults: house.environmentFaults,
    watch: house.watch,
    /** Listens at once; everything but /health is 503 until `ready`. */
    async listen(
      port = settings.PORT,
      host = settings.HOST
    ): Promise<{ port: number; ready: Promise<void> }> {
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject)
        http.listen({ port, host, backlog: 4_096 }, resolve)
      })
      return { port: (http.address() as { port: number }).port, ready: boot() }
    },
    /** Not ready, drain, hand over, close. Says how many requests were cut off. */
    async close(ms = 20_000): Promise<number> {
      closing = true
      clearInterval(housekeeping)
      await presence.drain()
      const dropped = http.listening ? await server.drain(ms) : 0
      await house.close()
      await facts.close()
      await streamLog.close()
      await gateway.close()
      await signals.close()
      watching[Symbol.dispose]()
      await data.close()
      return dropped
    }
  }
}
export type Platform = Awaited<ReturnType<typeof createPlatform>>
