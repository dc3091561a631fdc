import type { Isolate } from 'isolated-vm'

export type Meter = ReturnType<typeof createMeter>

/**
 * Milliseconds of the processor that an isolate takes. Within a turn isolated-vm tells how long that goes on, which is more where
 * the machine is busy: what the whole process took in that time is then the measure.
 */
export function createMeter(isolate: Isolate) {
  let ofIsolate = 0
  let ofProcess = processorMs()
  let total = 0
  let share = 0

  return {
    /** What it took since the last reading, shared out among so many calls. */
    read(calls: number): number {
      if (isolate.isDisposed) return 0
      const now = { isolate: Number(isolate.cpuTime) / 1e6, process: processorMs() }
      const took = Math.max(0, Math.min(now.isolate - ofIsolate, now.process - ofProcess))
      ofIsolate = now.isolate
      ofProcess = now.process
      total += took
      share += took / Math.max(1, calls)
      return took
    },

    total: () => total,

    /** What one call would have taken that is there all the time: of a call, the difference of two readings. */
    share: () => share
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
