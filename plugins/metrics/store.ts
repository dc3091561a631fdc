import type { Kernel } from 'agent-platform'

export type FactStore = ReturnType<typeof createFactStore>

/** Facts that a pack could not handle yet. */
export interface HeldFacts {
  readonly pack: string
  /** Those to be tried again, and those behind them. */
  readonly waiting: number
  /** Those that were given up, until an operator replays them. */
  readonly parked: number
}

export function createFactStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async list(): Promise<HeldFacts[]> {
      const { rows } = await knex.raw<{ rows: HeldFacts[] }>(
        `select pack, (count(*) filter (where "parkedAt" is null))::int as waiting,
                count("parkedAt")::int as parked
           from kernel.fact_held group by pack`
      )
      return rows
    }
  }
}
