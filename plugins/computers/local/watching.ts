import type { Machine } from '../provider/machine.ts'
import { listProcesses, measureHidden } from './hidden-files.ts'

const LOOK_EVERY_MS = 2_000
/** Where nothing but what is always there could write. */
const REST_MS = 20_000
/** It is not measured for more than a part of its time, however many files there are. */
const SHARE = 10

interface Watched {
  /** Bytes that its home takes. */
  measure(): Promise<number>
  readonly most: number
  readonly machine: Machine
  /** Of the process that began it. */
  readonly pid: number
  /** That process and those below it that are always there. */
  readonly ownProcesses: number
}

/**
 * Ends what takes more of the disk than it may, also where that is written while nothing was asked for. It may wake again, and
 * then write nothing, but delete.
 */
export async function watch({ measure, most, machine, pid, ownProcesses }: Watched): Promise<void> {
  let isOver = false
  const over = machine.ended.then(() => {
    isOver = true
  })
  let [measuredAt, took] = [performance.now(), 0]
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOOK_EVERY_MS + took * SHARE).unref()
    })
    await Promise.race([over, pause])
    clearTimeout(timer)
    if (isOver) return
    const begun = performance.now()
    const processes = await listProcesses(pid)
    const isResting = machine.busy === 0 && processes.length <= ownProcesses
    if (isResting && begun - measuredAt < REST_MS) continue
    const used = (await measure()) + (await measureHidden(processes))
    if (used > most) return machine.stop('storage_exceeded')
    measuredAt = performance.now()
    took = measuredAt - begun
  }
}
