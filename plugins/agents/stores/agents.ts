import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { lockName, reach } from 'agent-platform'
import type { Agent } from '../schemas.ts'
import { agents } from '../schemas.ts'

export type AgentStore = ReturnType<typeof createAgentStore>
export type AgentRow = Agent & Owned

/** Agents that were deleted are not there. */
export function createAgentStore({ knex }: Pick<Kernel, 'knex'>) {
  const there = (on: Kernel['knex'] | Trx) => on('agents.agent').whereNull('deletedAt')

  return {
    /** The oldest of that owner with that name. */
    findNamed: ({ project, owner }: Owned, name: string, on?: Trx): Promise<AgentRow | undefined> =>
      there(on ?? knex)
        .where({ project, owner, name })
        .orderBy('id')
        .first(...agents.columns),

    /** Those of these ids that the principal reaches, newest first. */
    listSome: (by: Principal, ids: readonly string[]): Promise<AgentRow[]> =>
      reach(by, there(knex), 'id')
        .whereIn('id', [...ids])
        .orderBy('id', 'desc')
        .select(...agents.columns),

    /** The same name of that owner is taken by one transaction after the other. */
    takeName: (trx: Trx, { project, owner }: Owned, name: string): Promise<void> =>
      lockName(trx, 'agents.agent', project, owner, name),

    /** Keeps them from going before the transaction ends; false when one of them is gone already. */
    async takeShare(trx: Trx, project: string, ids: readonly string[]): Promise<boolean> {
      const held = await there(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .forShare()
        .select('id')
      return held.length === ids.length
    },

    /** A tombstone stays, without what its owner wrote; 404 when it is gone, 412 when it has another version. */
    async removeSoftly(trx: Trx, key: { project: string; id: string }, version?: number): Promise<void> {
      const { project, id } = await agents.lock(trx, key, version)
      await trx('agents.agent')
        .where({ project, id })
        .update({ name: '', instructions: null, options: null, deletedAt: trx.fn.now() })
    }
  }
}
