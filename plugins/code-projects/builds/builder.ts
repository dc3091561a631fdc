import type { Kernel, Principal } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import { codeProjects } from '../projects/schemas.ts'
import type { PublicationService } from '../publications/service.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Building, Order } from './building.ts'
import { BuildFault } from './building.ts'
import type { Endings } from './endings.ts'
import { createLog } from './log.ts'
import { outputsOf, placeIn } from './outputs.ts'
import type { BuildRow } from './schemas.ts'
import type { BuildStore } from './store.ts'
import type { Verifying } from './verifying.ts'

/** Beside what the build itself may take: its files go to the computer, and its output comes from there. */
const AROUND_SECONDS = 300
const LATER_SECONDS = 3

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals' | 'shared' | 'log'> {
  settings: CodeProjectSettings
  jobs: Jobs
  building: Building
  verifying: Verifying
  publicationService: PublicationService
  buildStore: BuildStore
  endings: Endings
}
type Changes = Partial<BuildRow>

/** Builds in the background, those of a project one after the other, also after a crash. */
export function createBuilder(deps: Deps) {
  const { knex, transaction, principals, shared, settings, jobs, building, verifying } = deps
  const { publicationService, buildStore, endings } = deps
  /** What this process runs, in whichever version of the pack. */
  let running = new Map<string, AbortController>()
  let hearing: Disposable | undefined

  /** It is among those that run here before others may look: one that says so in its row alone counts as lost. */
  async function take(key: { project: string; projectId: string }) {
    let taken: string | undefined
    try {
      return await transaction(async (trx) => {
        const next = await buildStore.takeNext(trx, key, running)
        if (next === undefined || next === 'later') return next
        taken = next.row.id
        running.set(taken, new AbortController())
        return next
      })
    } catch (error) {
      if (taken !== undefined) running.delete(taken)
      throw error
    }
  }

  const worker: Worker = {
    concurrency: 16,
    timeoutSeconds: 86_400,
    async work(data, signal) {
      const key = data as { project: string; projectId: string }
      for (;;) {
        const next = await take(key)
        if (next === undefined) return
        if (next === 'later') return jobs.send('code-projects.build', key, { inSeconds: LATER_SECONDS })
        await perform(next.row, next.isExhausted, signal)
      }
    }
  }

  async function perform(row: BuildRow, isExhausted: boolean, leaving: AbortSignal): Promise<void> {
    const cancel = running.get(row.id) ?? new AbortController()
    const over = AbortSignal.timeout((settings.buildSeconds + AROUND_SECONDS) * 1_000)
    let by: Principal | undefined
    try {
      by = await principals.of(row.project, row.owner)
      if (row.cancelledAt !== null) cancel.abort()
      if (!by) throw new BuildFault('owner_disabled', 'Its owner is disabled')
      if (isExhausted) throw new BuildFault('too_many_attempts', 'It was interrupted too often')
      const of = await codeProjects.find(knex, row.projectId)
      if (!of) return
      await buildStore.removeLog(row)
      const log = createLog(buildStore, row, () => cancel.abort())
      const order = { by, of, log, signal: AbortSignal.any([cancel.signal, leaving, over]) }
      order.signal.throwIfAborted()
      await work(order, row)
    } catch (error) {
      if (leaving.aborted && !cancel.signal.aborted) {
        await requeue(row)
        throw error
      }
      const fault = over.aborted ? new BuildFault('time_exceeded', 'It took too long') : error
      await end(
        row,
        by,
        cancel.signal.aborted ? { status: 'cancelled' } : failureOf(fault as Error),
        fault as Error
      )
    } finally {
      running.delete(row.id)
    }
  }

  async function work(order: Order, row: BuildRow): Promise<void> {
    const finish = await made(order, row).finally(() =>
      // What stays behind is cleared by the next one.
      order.signal.aborted ? undefined : building.clear(order).catch(() => undefined)
    )
    order.signal.throwIfAborted()
    await finish()
  }

  /** What was asked for, but for the word that it is done. */
  async function made(order: Order, row: BuildRow): Promise<() => Promise<unknown>> {
    const { by, of, signal } = order
    const { folder, version } = await building.lay(order)
    const output = await building.build(order, folder)
    if (row.kind === 'verify') {
      const report = await verifying.verify(order, row, folder, output)
      return () => end(row, by, { status: 'completed', exitCode: 0, version, report })
    }
    const place = placeIn(building.machine(), by, of.agentId, { signal, most: settings.publicationFiles })
    const outputs = await outputsOf(place, output).catch((error) => {
      if (error.kind !== 'notFound') throw error
      throw new BuildFault('nothing_built', `The build left no folder ${of.outputFolder}`)
    })
    if (outputs.length === 0) throw new BuildFault('nothing_built', `There is nothing in ${of.outputFolder}`)
    const assets = await publicationService.store(of, outputs, signal)
    return () =>
      publicationService.publish(by, of, { assets, version }, async (trx, { id: publicationId }) => {
        const current = await buildStore.lock(trx, row)
        const changes = { status: 'completed', exitCode: 0, version, publicationId, endedAt: now() } as const
        await endings.tell(trx, by, await buildStore.update(trx, current, { ...changes, instance: null }))
      })
  }

  /** It has ended: once, also where two say so. */
  async function end(row: BuildRow, by: Principal | undefined, changes: Changes, why?: Error): Promise<void> {
    if (why && changes.status === 'failed')
      await buildStore.updateLog(row, `\n${why.message}\n`.slice(0, 4_000))
    await transaction(async (trx) => {
      const current = await buildStore.lock(trx, row).catch(() => undefined)
      // It went with its project.
      if (!current || current.endedAt !== null) return
      const ended = await buildStore.update(trx, current, { ...changes, instance: null, endedAt: now() })
      const actor = by ?? (await principals.of(row.project, row.owner))
      if (actor) await endings.tell(trx, actor, ended)
    })
  }

  const requeue = (row: BuildRow) =>
    transaction(async (trx) => {
      const current = await buildStore.lock(trx, row).catch(() => undefined)
      if (current && current.endedAt === null)
        await buildStore.update(trx, current, { status: 'queued', instance: null })
    })

  return {
    worker,
    async open(): Promise<void> {
      running = await shared(
        'builds',
        async () => new Map<string, AbortController>(),
        async () => undefined
      )
    },
    listen(): void {
      hearing ??= endings.onCancel((id) => running.get(id)?.abort())
    },
    deafen(): void {
      hearing?.[Symbol.dispose]()
      hearing = undefined
    }
  }
}

const now = () => new Date().toISOString()

function failureOf(error: Error): Changes {
  const { code, kind, exitCode = null } = error as { code?: string; kind?: string; exitCode?: number | null }
  if (error instanceof BuildFault || kind !== undefined)
    return { status: 'failed', reason: code ?? kind ?? 'failed', exitCode }
  throw error
}
