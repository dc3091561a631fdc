import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Knex } from 'knex'
import type { Memory, MemoryType } from '../schemas/memories.ts'
import { memories } from '../schemas/memories.ts'

export type MemoryStore = ReturnType<typeof createMemoryStore>
export type MemoryRow = Memory & Owned & { readonly callId: string | null }

/** What an agent knows: its own memories of these owners (undefined: those that the principal reaches), and shared ones. */
export interface Known {
  readonly project: string
  readonly agentId: string
  readonly owners: readonly string[] | Principal
  readonly scopeIds: readonly string[]
}

interface Filter {
  readonly type?: MemoryType | undefined
  readonly scopeId?: string | undefined
  /** What is so then; undefined: now; null: all. */
  readonly asOf?: string | null | undefined
}

const columns = [...memories.columns]

export function createMemoryStore({ knex }: Pick<Kernel, 'knex'>) {
  function known({ project, agentId, owners, scopeIds }: Known, { type, scopeId, asOf }: Filter) {
    const query = knex(memories.name).where({ project })
    query.where((either) => {
      if (scopeIds.length > 0) either.whereIn('scopeId', scopeIds)
      either.orWhere((own) => {
        own.where({ agentId }).whereNull('scopeId')
        if ('id' in owners) reach(owners, own)
        else own.whereIn('owner', owners)
      })
    })
    if (type) query.where({ type })
    if (scopeId) query.where({ scopeId })
    if (asOf !== null) validAt(query, asOf ?? knex.fn.now())
    return query
  }

  return {
    list: (of: Known, filter: Filter, page: Paging) =>
      paginate<MemoryRow>(known(of, filter).select(columns), page, 'memory'),

    /** By type; `past` are those of all that are not so now. */
    async count(of: Known): Promise<{ types: Record<MemoryType, number>; past: number }> {
      const now = knex.raw('"validFrom" <= now() and ("validTo" is null or "validTo" > now())')
      const rows: { type: MemoryType; isNow: boolean; count: string }[] = await known(of, { asOf: null })
        .select('type', { isNow: now })
        .count('* as count')
        .groupBy('type', 'isNow')
      const types = { fact: 0, preference: 0, episode: 0, instruction: 0 }
      let past = 0
      for (const { type, isNow, count } of rows)
        if (isNow) types[type] += Number(count)
        else past += Number(count)
      return { types, past }
    },

    /** Those of these ids that are so then, in no order. */
    listByIds(project: string, ids: readonly string[], asOf?: string): Promise<MemoryRow[]> {
      const query = knex(memories.name).where({ project }).whereIn('id', ids)
      return validAt(query, asOf ?? knex.fn.now()).select(columns)
    },

    /** What is so now, what counts most first, of some types or of all; at most `limit`. */
    listWeightiest: (
      of: Known,
      types: readonly MemoryType[] | undefined,
      limit: number
    ): Promise<MemoryRow[]> => {
      const query = known(of, {})
      if (types) query.whereIn('type', types)
      return query
        .orderBy([
          { column: 'importance', order: 'desc' },
          { column: 'id', order: 'desc' }
        ])
        .limit(limit)
        .select(columns)
    },

    /** Those of these ids that the agent knows now. */
    listKnown: (of: Known, ids: readonly string[]): Promise<MemoryRow[]> =>
      known(of, {})
        .whereRaw('id = any(?)', [ids as string[]])
        .select(columns),

    /** Of all of a project those behind that id, in their order, which nobody changes before the transaction ends. */
    listAfter: (trx: Trx, project: string, after: string, limit: number): Promise<MemoryRow[]> =>
      trx(memories.name)
        .where({ project })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .forShare()
        .select(columns),

    /** How many an agent has in all, counted as far as `most`. */
    async countUpTo(trx: Trx, project: string, agentId: string, most: number): Promise<number> {
      const some = trx(memories.name).where({ project, agentId }).limit(most).select(trx.raw('1')).as('some')
      const [row] = (await trx.count('* as count').from(some)) as { count: string }[]
      return Number(row?.count)
    },

    findByCall: (trx: Trx, project: string, callId: string): Promise<MemoryRow | undefined> =>
      trx(memories.name).where({ project, callId }).first(columns),

    /** The same words of the same kind, known to the same readers, and so now. */
    findSame: (
      trx: Trx,
      { project, owner, agentId, scopeId, type, content }: Partial<MemoryRow>
    ): Promise<MemoryRow | undefined> =>
      validAt(trx(memories.name).where({ project, agentId, scopeId, type, content }), trx.fn.now())
        .where(scopeId === null ? { owner } : {})
        .first(columns),

    /** Up to so many ids of an agent's own ones, or of those of a shared scope. */
    listIds: (
      trx: Trx,
      where: { project: string; agentId?: string; scopeId: string | null },
      limit: number
    ): Promise<string[]> => trx(memories.name).where(where).limit(limit).forUpdate().pluck('id'),

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      trx(memories.name).where({ project }).whereIn('id', ids).delete()
  }
}

const validAt = (query: Knex.QueryBuilder, at: string | Knex.Raw): Knex.QueryBuilder =>
  query
    .where('validFrom', '<=', at)
    .where((open: Knex.QueryBuilder) => open.whereNull('validTo').orWhere('validTo', '>', at))
