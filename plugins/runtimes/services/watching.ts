import type { Kernel } from 'agent-platform'
import type { RuntimeSettings } from '../settings.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeStore } from '../stores/runtimes.ts'
import type { TurnStore } from '../stores/turns.ts'
import type { Slot, StopReason } from './ending.ts'

export type Watching = ReturnType<typeof createWatching>
type Stop = (id: string, reason: StopReason) => void

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  settings: RuntimeSettings
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
}

/** Looks after the processes of this instance: those that do not get ready, fall silent, are replaced, or are not needed. */
export function createWatching({ transaction, log, settings, runtimeStore, processStore, turnStore }: Deps) {
  let isLooking = false

  async function sleepIdle(row: ProcessRow, stop: Stop): Promise<void> {
    const isIdle = await transaction(async (trx) => {
      const runtime = await runtimeStore.lock(trx, row)
      if (!runtime || (await turnStore.lockOpen(trx, runtime)).length > 0) return false
      await runtimeStore.update(trx, runtime, { desired: 'asleep' })
      return true
    })
    if (isIdle) stop(row.id, 'asleep')
  }

  async function look(slots: ReadonlyMap<string, Slot>, stop: Stop): Promise<void> {
    if (slots.size === 0 || isLooking) return
    isLooking = true
    try {
      const rows = new Map((await processStore.listLookedAt([...slots.keys()])).map((row) => [row.id, row]))
      const isOlder = (time: string | null, seconds: number) =>
        time !== null && Date.now() - Date.parse(String(time)) > seconds * 1_000
      for (const [id, slot] of slots) {
        const row = rows.get(id)
        if (!row) {
          if (slot.program) stop(id, 'removed')
        } else if (row.state === 'starting') {
          if (isOlder(row.createdAt, settings.startSeconds)) stop(id, 'not_ready')
        } else if (isOlder(row.lastSeenAt, settings.silentSeconds)) stop(id, 'silent')
        else if (row.state === 'draining') {
          if (row.openTurns === 0 || isOlder(row.drainingAt, settings.drainSeconds)) stop(id, 'replaced')
        } else if (row.openTurns === 0 && row.minInstances === 0 && isOlder(row.usedAt, row.idleSeconds))
          await sleepIdle(row, stop)
      }
    } catch (error) {
      log.warn({ err: error }, 'Runtimes could not be looked at')
    } finally {
      isLooking = false
    }
  }

  return { look }
}
