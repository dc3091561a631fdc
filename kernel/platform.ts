import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { AgentDirectory, Kernel, TokenIssuer } from './contract/pack.ts'
import type { Connection } from './database/connect.ts'
import { createData } from './database/database.ts'
import { checkServer, unusable } from './database/unusable.ts'
import type { Deployment } from './deployment.ts'
import { createFacts } from './events/facts.ts'
import { createPoints } from './events/points.ts'
import { createRemember } from './events/remembered.ts'
import { createSignals } from './events/signals.ts'
import { createGateway } from './http/gateway.ts'
import type { Listening } from './http/listen.ts'
import { listenOn } from './http/listen.ts'
import { endRevokedAccess } from './http/revoked.ts'
import { createGenerationServer } from './http/server.ts'
import { upgradeHandler } from './http/upgrades.ts'
import { createPrincipals } from './identity/principals.ts'
import type { OwnerOfAgent } from './identity/project-keys.ts'
import { descendant } from './limits/agent-limit.ts'
import { createStates } from './packs/desired/states.ts'
import { emptyGeneration } from './packs/runtime/generation.ts'
import { createPackRuntime } from './packs/runtime.ts'
import type { Settings } from './settings.ts'
import { channel, createStreams } from './streams/log.ts'

export interface PlatformOptions {
  readonly settings: Settings
  readonly deployment: Deployment
  readonly connection: Connection
  readonly version: string
  readonly log: FastifyBaseLogger
  /** Here for a moment, as the command line is: begins nothing but what it is asked for. */
  readonly inProcess?: boolean
}

const RETRY_MS = 500
const HOUR_MS = 3_600_000

/** All parts of one running platform, put together. `main` and the tests both use it. */
export async function createPlatform(options: PlatformOptions) {
  const { settings, deployment, connection, version, log, inProcess = false } = options
  const data = await createData({ settings, connection, version, log })
  const { knex, presence, hot, vault, transaction, cache } = data
  const signals = createSignals({ presence, knex, redisUrl: settings.REDIS_URL, log })
  const ownerOfAgent: OwnerOfAgent = async (project, agentId) => {
    const [agents] = points.all('platform.agents')
    return (agents?.value as AgentDirectory | undefined)?.ownerOf(project, agentId)
  }
  const issuers = () => points.all('platform.issuer').map(({ value }) => value as TokenIssuer)
  const gateway = createGateway({ settings, data, signals, log, ownerOfAgent, issuers })
  const { guard, credentials, projects, envelope } = gateway

  const states = createStates(knex, presence.id)
  let migrated = false
  const health = {
    version,
    packs: () => ({ up: [...current().packs.keys()].sort(), failed: states.named('failed').sort() }),
    ready() {
      const replica = data.replicaState()?.used
      return {
        database: presence.connected,
        migrations: migrated,
        storage: !data.isFull(),
        draining: server.draining(),
        ...(replica !== undefined && { replica })
      }
    }
  }
  const server = createGenerationServer(await emptyGeneration(gateway.prepare(health)), log)
  const { server: http, live, current } = server
  http.on('upgrade', upgradeHandler({ server, guard }))

  const facts = createFacts({ knex, hot, signals, log, listeners: () => current().listeners })
  const detach: Kernel['detach'] = ({ raw }, close) => server.detach(raw, close)
  const streamLog = createStreams({ hot, signals, onServe: detach })
  const { streams } = streamLog
  const principals = createPrincipals(hot)
  const { choices } = deployment
  const remember = createRemember(signals)
  const points = createPoints({ knex, remember, choices, contributions: () => current().contributions })

  const kernelFor = (pack: string, user: object): Kernel => ({
    knex,
    log: log.child({ pack }),
    platform: {
      version,
      production: settings.production,
      baseUrl: settings.BASE_URL,
      dataDir: settings.DATA_DIR,
      accept: server.accept
    },
    transaction,
    replica: data.replica,
    hot,
    facts: facts as Kernel['facts'],
    signals,
    remembered: remember,
    points: points as Kernel['points'],
    streams,
    vault,
    credentials,
    projects,
    principals,
    limits: {
      agent: gateway.limitAgent,
      descendant,
      guess: (what, key, window) => gateway.guess(`${pack}/${what}`, key, window),
      count: gateway.limitOf(pack)
    },
    sessionCookie: gateway.sessionCookie,
    envelope,
    cache,
    instances: { id: presence.id, dead: presence.dead },
    advance: (name, id) => runtime.steps.advance(pack, name, id),
    executions: runtime.executions.of(pack),
    shared: (key, open, close) => runtime.shared.hold(user, `${pack}/${key}`, open, close),
    detach,
    packs: runtime.packs
  })
  const parts = {
    settings,
    deployment,
    data,
    gateway,
    signals,
    facts,
    points,
    server,
    states,
    health,
    inProcess,
    log
  }
  const runtime = createPackRuntime({ ...parts, kernelFor })

  endRevokedAccess({ live, guard, credentials, projects, signals, log })
  presence.listen(channel, streamLog.heard)
  const watching = presence.onChange((connected) => {
    if (connected) streamLog.restored()
    else {
      streamLog.lost()
      data.cut()
    }
    if (connected && migrated)
      runtime.reconcile().catch((error) => log.error({ err: error }, 'packs could not be checked'))
  })
  const housekeeping = setInterval(() => {
    runtime.sweep()
    gateway.prune()
    facts.prune().catch((error) => log.warn({ err: error }, 'old facts were not removed'))
  }, HOUR_MS).unref()
  let closing = false

  /** Until there is a database, and then the first generation. Rejects where the one that answers is of no use. */
  async function boot(url?: string): Promise<void> {
    for (let isLogged = false; !closing; ) {
      try {
        await checkServer(knex)
        if (await runtime.migrate())
          log.warn(
            'the data were written by a newer version of this platform: it serves, without what is new'
          )
        await presence.start(url)
        await facts.start()
        await runtime.reconcile()
        migrated = true
        runtime.sweep()
        return
      } catch (error) {
        const fault = unusable(error)
        if (fault !== undefined) throw new Error(fault, { cause: error })
        if (!isLogged) log.warn({ err: error }, 'not ready yet: trying again until the database answers')
        isLogged = true
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  return {
    http,
    knex,
    credentials,
    facts,
    points: points as Kernel['points'],
    presence,
    vault,
    server,
    packs: runtime.packs,
    states: health.packs,
    watch: runtime.watch,
    /** Listens at once, on a port or at the path of a socket; everything but /health is 503 until `ready`. */
    async listen(
      port: number | string = settings.PORT,
      host = settings.HOST
    ): Promise<Listening & { ready: Promise<void> }> {
      const at = await listenOn(http, port, host)
      return { ...at, ready: boot(at.url || undefined) }
    },
    /** Not ready, drain, hand over, close. Says how many requests were cut off. */
    async close(ms = 20_000): Promise<number> {
      closing = true
      clearInterval(housekeeping)
      await presence.drain()
      const dropped = http.listening ? await server.drain(ms) : 0
      await runtime.close()
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
