import type { Kernel } from 'agent-platform'

export type CircuitStore = ReturnType<typeof createCircuitStore>

export interface Circuit {
  readonly model: string
  /** Null while it is closed. */
  readonly openUntil: string | null
}

const name = 'runs.circuit'
/** Failures in a row, each within this time of the last one, that open a circuit, and for how long. */
const FAILURES = 3
const WINDOW_SECONDS = 120
const OPEN_SECONDS = 60

const failedText = `insert into runs.circuit as c (project, model, failures, "failedAt", "openUntil")
  values (?, ?, 1, now(), null)
  on conflict (project, model) do update set "failedAt" = now(),
    failures = case when c."failedAt" > now() - ${WINDOW_SECONDS} * interval '1 s' then c.failures + 1 else 1 end,
    "openUntil" = case when c."failedAt" > now() - ${WINDOW_SECONDS} * interval '1 s' and c.failures + 1 >= ${FAILURES}
      then now() + ${OPEN_SECONDS} * interval '1 s' end`

/** Models that failed lately. */
export function createCircuitStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    list: (project: string): Promise<Circuit[]> =>
      knex(name)
        .where({ project })
        .whereRaw(`"failedAt" > now() - interval '1 hour'`)
        .select('model', 'openUntil'),

    /** Counts a failure: after several the circuit is open for a while, and after one more again. */
    updateFailed: async (project: string, model: string): Promise<void> => {
      await knex.raw(failedText, [project, model])
    },

    remove: async (project: string, model: string): Promise<void> => {
      await knex(name).where({ project, model }).delete()
    }
  }
}
