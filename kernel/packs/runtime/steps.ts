import { unavailable } from '../../contract/errors.ts'
import { applying } from '../../database/transaction.ts'
import type { Generation } from './generation.ts'

interface Deps {
  current(): Generation
  draining(): boolean
  /** Aborted when the generation, or the process, wants to be done soon. */
  handOver(generation: Generation): AbortSignal
}

/** Long work, a step at a time, each in the generation then current. */
export function createSteps({ current, draining, handOver }: Deps) {
  async function advance(pack: string, name: string, id: string): Promise<'done' | 'handed over'> {
    while (!draining()) {
      const generation = current()
      const step = generation.steps.get(`${pack}/${name}`)
      if (!step) throw unavailable(`${pack} is off`, { code: 'pack_off' })
      generation.inFlight.enter()
      try {
        // What goes on after a request is not part of what that request did.
        const next = await applying.exit(() => step(id, handOver(generation)))
        if (next === 'done') return 'done'
      } finally {
        generation.inFlight.leave()
      }
    }
    return 'handed over'
  }
  return { advance }
}
