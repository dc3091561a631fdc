import type { Kernel, Trx } from 'agent-platform'

export type RemovalStore = ReturnType<typeof createRemovalStore>

export interface Debt {
  project: string
  agentId: string
  pack: string
}

/** Which packs ever kept something for agents, and which of them still have to remove it for one that is gone. */
export function createRemovalStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async remember(packs: readonly string[]): Promise<void> {
      if (packs.length === 0) return
      const rows = packs.map((pack) => ({ pack }))
      await knex('agents.keeper').insert(rows).onConflict('pack').ignore()
    },

    /** What every pack that ever kept something still has to remove, and these in any case. */
    async owe(trx: Trx, project: string, agentId: string, packs: readonly string[]): Promise<void> {
      await trx.raw(
        `insert into agents.removal (project, "agentId", pack)
         select ?, ?, pack from (select pack from agents.keeper union select unnest(?::text[])) as k(pack)`,
        [project, agentId, [...packs]]
      )
    },

    /** One that these packs can do now and nobody else is at. */
    take: (trx: Trx, packs: readonly string[]): Promise<Debt | undefined> =>
      trx('agents.removal')
        .whereIn('pack', [...packs])
        .orderBy('agentId')
        .forUpdate()
        .skipLocked()
        .first('project', 'agentId', 'pack'),

    async settle(trx: Trx, debt: Debt): Promise<void> {
      await trx('agents.removal').where(debt).delete()
    }
  }
}
