import type { Kernel, Owned, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { SharedScope } from '../schemas/scopes.ts'
import { scopes } from '../schemas/scopes.ts'

export type ScopeStore = ReturnType<typeof createScopeStore>
export type ScopeRow = SharedScope & Owned

/** More than an agent ever reads at once. */
const MOST = 90

export function createScopeStore({ knex }: Pick<Kernel, 'knex'>) {
  const ofAgent = (project: string, agentId: string) =>
    knex(scopes.name)
      .where({ project })
      .whereRaw('agents @> ?::jsonb', [JSON.stringify([{ agentId }])])

  return {
    list: (project: string, agentId: string, page: Paging) =>
      paginate<ScopeRow>(ofAgent(project, agentId).select(...scopes.columns), page, 'scope'),

    /** The newest ones that an agent is in. */
    listReadable: (project: string, agentId: string): Promise<ScopeRow[]> =>
      ofAgent(project, agentId)
        .orderBy('id', 'desc')
        .limit(MOST)
        .select(...scopes.columns),

    /** Keeps it from going before the transaction ends; undefined where it is gone. */
    takeShared: (trx: Trx, project: string, id: string): Promise<ScopeRow | undefined> =>
      trx(scopes.name)
        .where({ project, id })
        .forShare()
        .first(...scopes.columns),

    /** Of up to so many scopes. */
    async removeAgent(trx: Trx, project: string, agentId: string, limit: number): Promise<number> {
      const ids: string[] = await trx(scopes.name)
        .where({ project })
        .whereRaw('agents @> ?::jsonb', [JSON.stringify([{ agentId }])])
        .limit(limit)
        .forUpdate()
        .pluck('id')
      const left = trx.raw(
        `coalesce((select jsonb_agg(it) from jsonb_array_elements(agents) it where it->>'agentId' <> ?), '[]'::jsonb)`,
        [agentId]
      )
      return trx(scopes.name).where({ project }).whereIn('id', ids).update({ agents: left })
    }
  }
}
