import type { Kernel, Owned, Paging, Principal, Recorded, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Call } from '../schemas/calls.ts'

export type CallStore = ReturnType<typeof createCallStore>
export type CallRow = Call & Owned

export type NewCall = Omit<CallRow, 'status' | 'size' | 'milliseconds' | 'createdAt' | 'endedAt'>

export interface CallEnd {
  readonly project: string
  readonly id: string
  readonly status: 'succeeded' | 'failed'
  readonly size: number
  readonly milliseconds: number
  /** What its caller was not given. */
  readonly output: string | null
}

const columns = [
  'id',
  'project',
  'owner',
  'agentId',
  'runId',
  'toolId',
  'toolName',
  'kind',
  'actor',
  'grants',
  'keyIds',
  'approved',
  'status',
  'size',
  'milliseconds',
  'createdAt',
  'endedAt'
] as const
// One that is made again, after its process died.
const insertText = `insert into tools.call (project, id, owner, "agentId", "runId", "toolId", "toolName", kind, actor,
    grants, "keyIds", approved, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'running')
  on conflict (project, id) do update set status = 'running', grants = excluded.grants, "keyIds" = excluded."keyIds"
  returning id`
const endText = `update tools.call c
  set status = $3, size = $4, milliseconds = $5, output = $6, "endedAt" = now()
  where c.project = $1 and c.id = $2 returning c.id`

/** Records of calls: begun before they are made, so that none is missing. */
export function createCallStore({ knex, hot, facts }: Pick<Kernel, 'knex' | 'hot' | 'facts'>) {
  return {
    find: (id: string): Promise<CallRow | undefined> =>
      knex('tools.call')
        .where({ id })
        .first(...columns),

    findOutput: async (project: string, id: string): Promise<string | null> =>
      (await knex('tools.call').where({ project, id }).first('output'))?.output ?? null,

    list: (by: Principal, page: Paging, only: Partial<Pick<CallRow, 'agentId' | 'runId'>>) =>
      paginate<CallRow>(
        reach(by, knex('tools.call'))
          .where(only)
          .select(...columns),
        page
      ),

    async insert(row: NewCall): Promise<void> {
      const { project, id, owner, agentId, runId, toolId, toolName, kind, actor, grants, keyIds, approved } =
        row
      await hot.query('tools.call.begin', insertText, [
        project,
        id,
        owner,
        agentId,
        runId,
        toolId,
        toolName,
        kind,
        JSON.stringify(actor),
        JSON.stringify(grants),
        keyIds,
        approved
      ])
    },

    /** Its end, and the fact that tells it. */
    async settle(
      { project, id, status, size, milliseconds, output }: CallEnd,
      fact: Recorded
    ): Promise<void> {
      await hot.together(
        'tools.call.end',
        {
          call: { text: endText, values: [project, id, status, size, milliseconds, output] },
          fact: facts.rows([fact])
        },
        'select id from call'
      )
      facts.recorded([fact])
    },

    /** Those that nobody can be at any more. */
    updateLost: (olderThan: Date): Promise<number> =>
      knex('tools.call')
        .where({ status: 'running' })
        .where('createdAt', '<', olderThan)
        .update({ status: 'unknown', endedAt: knex.fn.now() }),

    removeOfAgent: (project: string, agentId: string, trx: Trx, limit: number): Promise<number> =>
      trx('tools.call')
        .where({ project })
        .whereIn('id', trx('tools.call').where({ project, agentId }).limit(limit).select('id'))
        .delete()
  }
}
