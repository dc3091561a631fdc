import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Data } from '../data/data.ts'
import type { Deployment } from '../deployment.ts'
import type { Facts } from '../events/facts.ts'
import type { Points } from '../events/points.ts'
import type { Signals } from '../events/signals.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Health } from '../gateway/health.ts'
import type { Settings } from '../settings.ts'
import { createDesired } from './desired.ts'
import { createFollowing } from './follow.ts'
import type { Surroundings } from './generation.ts'
import { createGenerations } from './generations.ts'
import { createHost } from './host.ts'
import { createHosting } from './hosting.ts'
import { createLoader } from './loader.ts'
import { createMigrator, kernelMigrations } from './migrator.ts'
import { createChangeRecords } from './records.ts'
import { createRemoval } from './removal.ts'
import { govern } from './routes.ts'
import type { GenerationServer } from './server.ts'
import { createShared } from './shared.ts'
import type { States } from './states.ts'
import { createSteps } from './steps.ts'

interface Options {
  readonly settings: Settings
  readonly deployment: Deployment
  readonly data: Data
  readonly gateway: Gateway
  readonly signals: Signals
  readonly facts: Facts
  readonly points: Points
  readonly server: GenerationServer
  readonly states: States
  readonly health: Health
  readonly guest: boolean
  readonly log: FastifyBaseLogger
  /** What the kernel gives to a pack, beside what is made here. */
  readonly kernelFor: Surroundings['kernelFor']
}

/** Everything that finds, builds, changes and remembers packs. */
export function createHouse(options: Options) {
  const {
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
    guest,
    log,
    kernelFor
  } = options
  const { knex, vault, presence } = data
  const versions = join(settings.DATA_DIR, 'packs')
  const loader = createLoader({ folders: deployment.folders, versions, log })
  const migrator = createMigrator({ knex, log })
  const desired = createDesired({ knex, vault, deployment, environment: settings.environment })
  const records = createChangeRecords(knex, presence.id)
  const shared = createShared()
  const surroundings: Surroundings = {
    kernelFor,
    release: shared.release,
    prepare: () => gateway.prepare(health),
    govern: (app, pack, mounted) => govern(app, pack, gateway, mounted),
    report: (error, pack) => log.error({ err: error, pack }, 'a pack failed outside a request')
  }
  const { enlist } = facts
  const generations = createGenerations({
    log,
    server,
    states,
    records,
    migrator,
    surroundings,
    enlist,
    guest
  })
  const parts = { log, loader, desired, states, records, server, generations }
  const host = createHost({ ...parts, knex, signals, follow: createFollowing(parts) })
  const { dead } = presence
  const remove = createRemoval({ ...parts, knex, migrator, host, facts, points, dead })
  const hosting = createHosting({ ...parts, host, remove, facts, load: data.load })

  return {
    follow: host.follow,
    hosting,
    steps: createSteps(server),
    shared,
    /** The kernel's own tables; true where a newer version of the platform has been at them. */
    async migrate(): Promise<boolean> {
      const kernel = await kernelMigrations()
      const { failed, newer } = await migrator.migrate([kernel])
      for (const error of failed.values()) throw error
      return newer.has(kernel.name)
    },
    /** Removes versions of packs that nobody runs any more. */
    sweep() {
      const inUse = new Set([...server.current().packs.values()].map(({ loaded }) => loaded.version))
      loader.sweep(inUse).catch((error) => log.warn({ err: error }, 'old versions of packs were not removed'))
    },
    /** Reloads packs as their files change. */
    watch: (): Disposable =>
      loader.watch((pack) => {
        host.apply({ by: 'platform', pack, patch: {}, reload: true }).then(
          () => log.info({ pack }, 'reloaded'),
          (error) => log.error({ pack, reason: error.message }, 'not reloaded')
        )
      }),
    async close(): Promise<void> {
      await host.close()
      generations.close()
      await server.current().stop()
    }
  }
}
