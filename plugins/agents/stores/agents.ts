import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Agent, AgentChanges, NewAgent } from '../schemas.ts'

export type AgentStore = ReturnType<typeof createAgentStore>
export type AgentRow = Agent & Owned
interface Key {
  project: string
  id: string
  version: number | undefined
}

export const columns = [
  'id',
  'project',
  'owner',
  'name',
  'instructions',
  'modelProvider',
  'modelId',
  'temperature',
  'maxTokens',
  'version',
  'createdAt',
  'updatedAt'
] as const

/** Agents that were deleted are not there, for anyone who asks here. */
export function createAgentStore({ knex }: Pick<Kernel, 'knex'>) {
  const agents = (on: Kernel['knex'] | Trx = knex) => on('agents.agent').whereNull('deletedAt')
  const at = (trx: Trx, { version, ...key }: Key) =>
    agents(trx).where({ ...key, ...(version !== undefined && { version }) })

  return {
    find: (id: string): Promise<AgentRow | undefined> =>
      agents()
        .where({ id })
        .first(...columns),

    list: (by: Principal, page: Paging, owner: string | undefined) =>
      paginate<AgentRow>(
        reach(by, agents(), 'id')
          .modify((query) => owner !== undefined && query.where({ owner }))
          .select(...columns),
        page
      ),

    /** The oldest of that owner with that name. */
    findNamed: ({ project, owner }: Owned, name: string, on?: Trx): Promise<AgentRow | undefined> =>
      agents(on)
        .where({ project, owner, name })
        .orderBy('id')
        .first(...columns),

    /** Makes whoever takes the same name of that owner wait for the end of the transaction. */
    async takeName(trx: Trx, { project, owner }: Owned, name: string): Promise<void> {
      const place = `agents.agent/${JSON.stringify([project, owner, name])}`
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [place])
    },

    async insert(trx: Trx, agent: NewAgent & Owned & { id: string }): Promise<AgentRow> {
      const [row] = await trx('agents.agent').insert(agent).returning(columns)
      return row
    },

    /** Keeps them from going before the transaction ends; false when one of them is gone already. */
    async takeShare(trx: Trx, project: string, ids: readonly string[]): Promise<boolean> {
      const held = await agents(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .forShare()
        .select('id')
      return held.length === ids.length
    },

    /** Undefined when it is gone, or `version` is given and no longer the current one. */
    async update(trx: Trx, key: Key, changes: AgentChanges): Promise<AgentRow | undefined> {
      const version = trx.raw('version + 1')
      const [row] = await at(trx, key)
        .update({ ...changes, version, updatedAt: trx.fn.now() })
        .returning(columns)
      return row
    },

    /** A tombstone, without what its owner wrote. */
    async bury(trx: Trx, key: Key): Promise<{ id: string } | undefined> {
      const [row] = await at(trx, key)
        .update({ name: '', instructions: null, deletedAt: trx.fn.now() })
        .returning(['id'])
      return row
    }
  }
}
