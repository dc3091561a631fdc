import type { FastifyBaseLogger } from 'fastify'
import type { Generation } from './generation.ts'
import type { ChangeRecords, Latency } from './records.ts'
import type { GenerationServer } from './server.ts'
import type { States } from './states.ts'

/** How long the new generation answers before its latency is written down. */
const OBSERVE_MS = 5_000

export interface Swapped {
  /** Of the generation before, until now. */
  readonly before: Latency
  /** Completes these records once it is known how the old generation ended and how the new one answers. */
  observe(records: readonly string[]): void
}

interface Deps {
  readonly log: FastifyBaseLogger
  readonly server: GenerationServer
  readonly states: States
  readonly records: ChangeRecords
}

/** Puts generations in place, and sees to what follows from that. */
export function createSwaps({ log, server, states, records }: Deps) {
  const observing = new Set<NodeJS.Timeout>()

  function swap(generation: Generation): Swapped {
    const old = server.current()
    const before = server.latencyOf(old)
    const gone = server.swap(generation).catch((error) => {
      log.error({ err: error }, 'a generation did not stop cleanly')
      return { drained: null, dropped: null }
    })
    for (const name of old.packs.keys())
      if (!generation.packs.has(name)) states.set(name, { status: 'off', digest: null, reason: null })
    for (const [name, { loaded }] of generation.packs)
      states.set(name, { status: 'running', digest: loaded.digest, reason: null })
    void generation.resume()

    function observe(ids: readonly string[]) {
      const timer = setTimeout(async () => {
        const ended = await gone
        if (!observing.delete(timer)) return
        const result = { ...ended, after: server.latencyOf(generation) }
        await records
          .complete(ids, result)
          .catch((error) => log.warn({ err: error }, 'a record stays incomplete'))
      }, OBSERVE_MS).unref()
      observing.add(timer)
    }
    return { before, observe }
  }

  function close() {
    for (const timer of observing) clearTimeout(timer)
    observing.clear()
  }
  return { swap, close }
}
export type Swaps = ReturnType<typeof createSwaps>
