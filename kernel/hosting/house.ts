import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Data } from '../data/data.ts'
import type { Deployment } from '../deployment.ts'
import type { Facts } from '../events/facts.ts'
import type { Signals } from '../events/signals.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Health } from '../gateway/health.ts'
import type { Settings } from '../settings.ts'
import { createBuilds } from './builds.ts'
import { createChanging } from './change.ts'
import { createDesired } from './desired.ts'
import { createFollowing } from './follow.ts'
import type { Surroundings } from './generation.ts'
import { createHost } from './host.ts'
import { createHosting } from './hosting.ts'
import { createLoader } from './loader.ts'
import { createMigrator, kernelMigrations } from './migrator.ts'
import { createChangeRecords } from './records.ts'
import type { MountedRoute } from './routes.ts'
import { govern } from './routes.ts'
import type { GenerationServer } from './server.ts'
import { createShared } from './shared.ts'
import type { States } from './states.ts'
import { createSteps } from './steps.ts'
import { createSwaps } from './swaps.ts'

interface Options {
  readonly settings: Settings
  readonly deployment: Deployment
  readonly data: Data
  readonly gateway: Gateway
  readonly signals: Signals
  readonly facts: Facts
  readonly server: GenerationServer
  readonly states: States
  readonly health: Health
  readonly log: FastifyBaseLogger
  /** What the kernel gives to a pack, beside what is made here. */
  readonly kernelFor: (pack: string, user: object) => ReturnType<Surroundings['kernelFor']>
}

/** Everything that finds, builds, changes and remembers packs. */
export function createHouse(options: Options) {
  const { settings, deployment, data, gateway, signals, facts, server, states, health, log } = options
  const { knex, vault, presence } = data
  const loader = createLoader({
    folders: deployment.folders,
    versions: join(settings.DATA_DIR, 'packs'),
    log
  })
  const migrator = createMigrator({ knex, log })
  const desired = createDesired({ knex, vault, deployment, environment: settings.environment })
  const records = createChangeRecords(knex)
  const shared = createShared()
  const surroundings: Surroundings = {
    kernelFor: options.kernelFor,
    release: shared.release,
    prepare: () => gateway.prepare(health),
    mountRoutes(app, pack, add) {
      const mounted: MountedRoute[] = []
      govern(app, pack, gateway, mounted)
      add(app)
      return mounted
    },
    report: (error, pack) => log.error({ err: error, pack }, 'a pack failed outside a request')
  }
  const builds = createBuilds({ migrator, surroundings, enlist: facts.enlist })
  const swaps = createSwaps({ log, server, states, records })
  const parts = { log, loader, desired, states, records, server, builds, swaps, instance: presence.id }
  const host = createHost({
    knex,
    log,
    states,
    change: createChanging(parts),
    follow: createFollowing(parts),
    signals
  })
  const { current, draining, handOver } = server

  return {
    follow: host.follow,
    hosting: createHosting({ host, loader, desired, states, records, server, facts, load: data.load }),
    steps: createSteps({ current, draining, handOver }),
    shared,
    async migrate(): Promise<void> {
      const { failed } = await migrator.migrate([await kernelMigrations()])
      for (const error of failed.values()) throw error
    },
    /** Removes versions of packs that nobody runs any more. */
    sweep() {
      const inUse = new Set([...current().packs.values()].map(({ loaded }) => loaded.version))
      loader.sweep(inUse).catch((error) => log.warn({ err: error }, 'old versions of packs were not removed'))
    },
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
    watch: (): Disposable =>
      loader.watch((pack) => {
        host.reload({ id: 'platform' }, pack).then(
          () => log.info({ pack }, 'reloaded'),
          (error) => log.error({ pack, reason: error.message }, 'not reloaded')
        )
      }),
    async close(): Promise<void> {
      await host.close()
      swaps.close()
      await current().stop()
    }
  }
}
