import type { Kernel } from 'agent-platform'
import type { CircuitStore } from '../stores/circuits.ts'

export type Circuits = ReturnType<typeof createCircuits>

interface Deps extends Pick<Kernel, 'remembered' | 'log'> {
  circuitStore: CircuitStore
}

const CHANGED = 'runs.circuit'
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000

/** Circuit breakers of models, one for all instances: a model that fails repeatedly is not asked for a while. */
export function createCircuits({ remembered, log, circuitStore }: Deps) {
  const known = remembered(
    CHANGED,
    async (project) => {
      const rows = await circuitStore.list(project)
      return new Map(rows.map(({ model, openUntil }) => [model, openUntil]))
    },
    BELIEVE_MS
  )

  /** A circuit is a help: without the database a run goes on as if there was none. */
  async function change(project: string, work: Promise<void>): Promise<void> {
    await work
      .then(() => known.changed(project))
      .catch((error) => log.warn({ err: error }, 'a circuit of a model was not updated'))
  }

  return {
    async isOpen(project: string, model: string): Promise<boolean> {
      const until = (await known.of(project)).get(model)
      return until != null && Date.parse(new Date(until).toISOString()) > Date.now()
    },
    failed: (project: string, model: string) => change(project, circuitStore.updateFailed(project, model)),
    /** Costs nothing for a model that had not failed. */
    async succeeded(project: string, model: string): Promise<void> {
      if ((await known.of(project)).has(model)) await change(project, circuitStore.remove(project, model))
    },
    close: () => known[Symbol.dispose]()
  }
}
