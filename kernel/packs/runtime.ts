import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Data } from '../database/database.ts'
import { createMigrator, kernelMigrations } from '../database/migrator.ts'
import type { Deployment } from '../deployment.ts'
import type { Facts } from '../events/facts.ts'
import type { Points } from '../events/points.ts'
import type { Signals } from '../events/signals.ts'
import { createExecutions } from '../execution/executions.ts'
import type { Gateway } from '../http/gateway.ts'
import type { Health } from '../http/health.ts'
import { govern } from '../http/routes.ts'
import type { GenerationServer } from '../http/server.ts'
import type { Settings } from '../settings.ts'
import { createPackApi } from './api.ts'
import { createPackChanges } from './desired/changes.ts'
import { createDesired } from './desired/desired.ts'
import { createReconciler } from './desired/reconcile.ts'
import { createChangeRecords } from './desired/records.ts'
import { createRemoval } from './desired/removal.ts'
import type { States } from './desired/states.ts'
import { createLoader } from './loader/loader.ts'
import { createCascades } from './runtime/cascades.ts'
import type { Surroundings } from './runtime/generation.ts'
import { createGenerations } from './runtime/generations.ts'
import { createShared } from './runtime/shared.ts'
import { createSteps } from './runtime/steps.ts'

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
  readonly inProcess: boolean
  readonly log: FastifyBaseLogger
  /** What the kernel gives to a pack, beside what is made here. */
  readonly kernelFor: Surroundings['kernelFor']
}

/** Everything that finds, builds, changes and remembers packs. */
export function createPackRuntime(options: Options) {
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
    inProcess,
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
  const steps = createSteps(server)
  const executions = createExecutions({
    current: () => server.current().executions,
    advance(key, id) {
      const [pack, name] = key.split('/') as [string, string]
      return steps.advance(pack, name, id)
    },
    instances: { id: presence.id, dead: presence.dead },
    signals,
    log
  })
  const cascades = createCascades({ knex, log, advance: steps.advance })
  const surroundings: Surroundings = {
    kernelFor,
    release: shared.release,
    prepare: () => gateway.prepare(health),
    govern: (app, pack, mounted) => govern(app, pack, gateway, mounted),
    report: (error, pack) => log.error({ err: error, pack }, 'a pack failed outside a request'),
    cascadeOf: cascades.of
  }
  const { enlist } = facts
  const generations = createGenerations({
    log,
    server,
    states,
    records,
    migrator,
    surroundings,
    cascades,
    executions,
    enlist,
    inProcess
  })
  const parts = { log, loader, desired, states, records, server, generations }
  const changes = createPackChanges({ ...parts, knex, signals, reconcile: createReconciler(parts) })
  const { dead } = presence
  const remove = createRemoval({ ...parts, knex, migrator, changes, facts, points, cascades, dead })
  const packs = createPackApi({ ...parts, changes, remove, facts, load: data.load })

  async function sweepVersions(inUse: ReadonlySet<string>) {
    const removed = await loader.sweep(inUse)
    // Nobody tells which of it was of them; a start without it makes it anew (`process/compile-cache.js`).
    if (removed.length > 0) await rm(join(settings.DATA_DIR, 'compiled'), { recursive: true, force: true })
  }

  return {
    reconcile: changes.reconcile,
    packs,
    steps,
    executions,
    shared,
    /** The kernel's own tables; true where a newer version of the platform has been at them. */
    async migrate(): Promise<boolean> {
      const kernel = await kernelMigrations()
      const { failed, newer } = await migrator.migrate([kernel])
      for (const error of failed.values()) throw error
      return newer.has(kernel.name)
    },
    /** Removes versions of packs that no longer run. */
    sweep() {
      const inUse = new Set([...server.current().packs.values()].map(({ loaded }) => loaded.version))
      sweepVersions(inUse).catch((error) =>
        log.warn({ err: error }, 'old versions of packs were not removed')
      )
    },
    /** Reloads packs as their files change. */
    watch: (): Disposable =>
      loader.watch((pack) => {
        changes.apply({ by: 'platform', pack, patch: {}, reload: true }).then(
          () => log.info({ pack }, 'reloaded'),
          (error) => log.error({ pack, reason: error.message }, 'not reloaded')
        )
      }),
    async close(): Promise<void> {
      await changes.close()
      generations.close()
      cascades.close()
      executions.close()
      await server.current().stop()
    }
  }
}
