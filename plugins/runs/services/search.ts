import type { Kernel } from 'agent-platform'
import type { Reason } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Driver } from './driver.ts'
import { released } from './driver.ts'
import type { LiveRuns } from './live-runs.ts'
import { cancelled } from './live-runs.ts'
import type { Queue } from './queue.ts'

/** Milliseconds between two looks for instances that died. */
const LOOK_MS = 250
/** So many looks, and the record is searched whatever they showed. */
const EVERY = 8

interface Deps extends Pick<Kernel, 'signals' | 'instances' | 'log'> {
  runStore: RunStore
  liveRuns: LiveRuns
  driver: Driver
  queue: Queue
}

/** Looks for runs that nobody goes on with: of instances that died or let go, and those whose queue stands still. */
export function createSearch({ signals, instances, log, runStore, liveRuns, driver, queue }: Deps) {
  let timer: NodeJS.Timeout | undefined
  let hearing: Disposable[] = []
  let looks = 0
  let known = ''
  let looking = false

  async function look(always = false): Promise<void> {
    if (looking) return
    looking = true
    try {
      const dead = await instances.dead()
      const news = dead.join() !== known
      if (news || always || looks++ % EVERY === 0) await search(dead)
      known = dead.join()
    } catch (error) {
      log.debug({ err: error }, 'the search for runs is tried again')
    } finally {
      looking = false
    }
  }

  async function search(dead: readonly number[]): Promise<void> {
    const self = instances.id()
    if (self === undefined) return
    for (const id of await runStore.listLoose([...dead, self], liveRuns.ids())) void driver.drive(id)
    for (const { id, cancelledFor } of await runStore.listCancelled(self))
      if (!stopHere(id, cancelledFor)) void driver.drive(id)
    await queue.next()
  }

  function stopHere(id: string, reason: Reason): boolean {
    const live = liveRuns.find(id)
    if (!live) return false
    live.run.cancelledFor ??= reason
    live.stop.abort()
    return true
  }

  return {
    begin(): void {
      timer = setInterval(() => void look(), LOOK_MS).unref()
      hearing = [
        signals.on(released, () => void look(true)),
        signals.on(cancelled, (told) => stopHere(...(told as [string, Reason])))
      ]
      void look(true)
    },
    end(): void {
      clearInterval(timer)
      for (const one of hearing) one[Symbol.dispose]()
    }
  }
}
