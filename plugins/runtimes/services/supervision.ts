import type { Kernel } from 'agent-platform'
import { newId, unavailable } from 'agent-platform'
import type { Computers, ProgramEnd } from '../../computers/contract.ts'
import type { RuntimeSettings } from '../settings.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeRow, RuntimeStore } from '../stores/runtimes.ts'
import type { Ending, How, Slot, StopReason } from './ending.ts'
import { redacted, serves } from './ending.ts'
import type { Issuing } from './issuing.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import type { Turns } from './turns.ts'
import type { Watching } from './watching.ts'

export type Supervision = ReturnType<typeof createSupervision>

interface Key {
  readonly project: string
  readonly agentId: string
}

const STOP = 'runtimes.stop'
const AWAKEN = 'runtimes.awaken'
const [LOOK_MS, GRACE_MS] = [1_000, 5_000]
/** Of processes that have ended, how many stay in the record. */
const KEPT_PROCESSES = 20

interface Deps
  extends Pick<Kernel, 'transaction' | 'instances' | 'signals' | 'principals' | 'log' | 'shared'> {
  settings: RuntimeSettings
  computers: Computers
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turns: Turns
  issuing: Issuing
  ending: Ending
  watching: Watching
  snapshots: Snapshots
}

/** Processes of runtimes: started, watched, ended, and started again, each by the instance on which its computer is awake. */
export function createSupervision(deps: Deps) {
  const { transaction, instances, signals, principals, log, shared, settings, computers } = deps
  const { runtimeStore, processStore, turns, issuing, ending, watching, snapshots } = deps
  let slots = new Map<string, Slot>()
  const timers = new Map<string, NodeJS.Timeout>()
  const stops: (() => void)[] = []

  /** Starts a process where one is wanted and none is there; returns when it has been started, or could not be. */
  async function awaken(key: Key): Promise<void> {
    const self = instances.id()
    if (self === undefined)
      throw unavailable('The instance is not registered', { headers: { 'retry-after': '1' } })
    const dead = await instances.dead()
    const begun = await transaction(async (trx) => {
      const row = await runtimeStore.lock(trx, key)
      const sealed = row?.candidate ?? row?.deployed
      if (!row || !sealed || (row.desired !== 'awake' && row.candidate === null)) return undefined
      const deployment = row.candidate === null ? row.deployment : row.deployment + 1
      const live = (await processStore.listLive(trx, row)).filter(({ instance }) => !dead.includes(instance))
      if (live.some((it) => serves(it) && it.deployment === deployment)) return undefined
      const wait = row.restartAt === null ? 0 : Date.parse(row.restartAt) - Date.now()
      if (wait > 0) return void awakenLater(key, wait)
      const { project, owner, agentId, id: runtimeId } = row
      const process = await processStore.insert(trx, {
        ...{
          id: newId('process'),
          project,
          owner,
          agentId,
          runtimeId,
          deployment,
          state: 'starting',
          instance: self
        }
      })
      await turns.tellProcess(trx, process, [{ type: 'started', fields: {} }])
      if (!live.some(({ state }) => state === 'ready'))
        await runtimeStore.update(trx, row, { observed: 'starting' })
      await processStore.removeOld(trx, row, KEPT_PROCESSES)
      return { row, process, sealed }
    })
    if (begun) await start(begun.row, begun.process, begun.sealed)
  }

  async function start(runtime: RuntimeRow, process: ProcessRow, sealed: string): Promise<void> {
    const { project, owner, agentId } = runtime
    try {
      const by = await principals.of(project, owner)
      if (!by) throw unavailable('The owner of the runtime is disabled', { code: 'owner_disabled' })
      const snapshot: Snapshot = await snapshots.open(runtime, sealed)
      const slot: Slot = { row: process, secrets: Object.values(snapshot.secrets) }
      slots.set(process.id, slot)
      const { id, token, expiresAt } = await issuing.issue(process)
      await transaction((trx) =>
        processStore.update(trx, process, { credentials: [id], credentialEndsAt: expiresAt })
      )
      const own = {
        AGENT_PLATFORM_URL: computers.platformUrl,
        AGENT_PLATFORM_TOKEN: token,
        AGENT_PLATFORM_AGENT: agentId,
        AGENT_PLATFORM_PROCESS: process.id
      }
      const env = { ...snapshot.env, ...snapshot.secrets, ...own }
      const program = await computers.start(by, agentId, { argv: snapshot.command, cwd: snapshot.cwd, env })
      slot.program = program
      if (slot.stopping) program.stop(GRACE_MS)
      void program.ended.then((end) => ended(process, end, slot))
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (code === 'computer_elsewhere') signals.send(AWAKEN, { project, agentId, from: instances.id() })
      const end = { exitCode: null, signal: null, reason: message }
      await ended(
        process,
        end,
        slots.get(process.id),
        code === 'computer_elsewhere' ? 'elsewhere' : 'refused'
      )
    }
  }

  /** It has ended: what it had begun fails, what it had not goes to the next one, which is started if it is wanted. */
  async function ended(process: ProcessRow, end: ProgramEnd, slot?: Slot, how?: How) {
    slots.delete(process.id)
    try {
      const next = await transaction((trx) => ending.settle(trx, process, end, slot, how))
      await issuing.revoke(next?.credentials ?? process.credentials)
      if (next?.wait !== undefined) awakenLater(process, next.wait)
    } catch (error) {
      log.warn({ err: error, process: process.id }, 'What became of a runtime could not be written down')
    }
  }

  function awakenLater({ project, agentId }: Key, ms: number): void {
    const id = `${project}/${agentId}`
    clearTimeout(timers.get(id))
    const timer = setTimeout(() => {
      timers.delete(id)
      awakenSoon({ project, agentId })
    }, ms).unref()
    timers.set(id, timer)
  }

  function awakenSoon(key: Key): void {
    awaken(key).catch((error) => log.warn({ err: error, agent: key.agentId }, 'A runtime did not wake'))
  }

  function stopHere(id: string, reason: StopReason): void {
    const slot = slots.get(id)
    if (!slot) return
    slot.stopping ??= reason
    slot.program?.stop(GRACE_MS)
  }

  async function reconcile(): Promise<void> {
    const dead = await instances.dead()
    const self = instances.id()
    for (const row of await processStore.listHeld(self === undefined ? dead : [...dead, self])) {
      if (slots.has(row.id)) continue
      const isYoung = Date.now() - Date.parse(row.createdAt) < settings.startSeconds * 1_000
      // One that this instance is about to start.
      if (row.instance === self && isYoung && row.credentials.length === 0) continue
      const unseen = { exitCode: null, signal: null, reason: null }
      await ended(row, unseen, undefined, 'instance_lost').catch((err) =>
        log.warn({ err, process: row.id }, 'the end of a lost process could not be recorded')
      )
    }
    for (const row of await runtimeStore.listWanting(dead))
      await awaken(row).catch((error) => log.warn({ err: error, runtime: row.id }, 'A runtime did not wake'))
  }

  return {
    awaken,
    awakenSoon,
    outputOf: (id: string): string | undefined => {
      const slot = slots.get(id)
      return slot?.program && redacted(slot.program.output(), slot.secrets)
    },
    /** On whichever instance they run. */
    stop(rows: readonly ProcessRow[], reason: StopReason): void {
      for (const { id } of rows) signals.send(STOP, { id, reason })
    },
    worker: { work: reconcile, cron: '* * * * *', retries: 0 },

    async open(): Promise<void> {
      slots = await shared<Map<string, Slot>>(
        'processes',
        async () => new Map(),
        async (all) => {
          for (const slot of all.values()) {
            slot.stopping ??= 'restarted'
            slot.program?.stop(GRACE_MS)
          }
          await Promise.allSettled([...all.values()].map(({ program }) => program?.ended))
        }
      )
    },
    async begin(): Promise<void> {
      const timer = setInterval(() => void watching.look(slots, stopHere), LOOK_MS).unref()
      const heard = [
        signals.on(STOP, (data) => {
          const { id, reason } = data as { id: string; reason: StopReason }
          stopHere(id, reason)
        }),
        signals.on(AWAKEN, (data) => {
          const { from, ...key } = data as Key & { from?: number }
          if (from !== instances.id()) awakenSoon(key)
        })
      ]
      stops.push(() => clearInterval(timer), ...heard.map((it) => () => it[Symbol.dispose]()))
      await reconcile().catch((error) => log.warn({ err: error }, 'Runtimes could not be looked at'))
    },
    end(): void {
      for (const stop of stops.splice(0)) stop()
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    }
  }
}
