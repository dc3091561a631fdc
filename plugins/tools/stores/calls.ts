import type { Kernel, Owned, Paging, Principal, Recorded, Usage } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Call } from '../schemas/calls.ts'

export type CallStore = ReturnType<typeof createCallStore>
export type CallRow = Call & Owned
export type CallStatus = Exclude<CallRow['status'], 'running'>

/** A call that begins. */
export type NewCall = Omit<
  CallRow,
  'status' | 'size' | 'milliseconds' | 'usage' | 'createdAt' | 'endedAt'
> & {
  /** The one that makes it. */
  readonly instance: number | null
}

/** A call that ended. */
export interface EndedCall extends NewCall {
  readonly status: CallStatus
  readonly size: number
  readonly milliseconds: number
  readonly usage: readonly Usage[]
  /** What its caller was not given. */
  readonly output: string | null
  /** It was not written when it began. */
  readonly isNew: boolean
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
  'usage',
  'createdAt',
  'endedAt'
] as const
const begunColumns = `project, id, owner, "agentId", "runId", "toolId", "toolName", kind, actor, grants, "keyIds",
  approved, instance`
const begunValues = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13'
// One that is made again, after its process died.
const again = 'grants = excluded.grants, "keyIds" = excluded."keyIds", instance = excluded.instance'
const beginText = `insert into tools.call (${begunColumns}, status) values (${begunValues}, 'running')
  on conflict (project, id) do update set ${again}, status = 'running', size = null, "endedAt" = null
  returning id`
// An end has a size: it is written once, also where it was not seen that it was.
const endText = `update tools.call c
  set status = $3, size = $4, milliseconds = $5, usage = $6, output = $7, "endedAt" = now()
  where c.project || '' = $1 and c.id = $2 and c.size is null returning c."agentId" as id`
const wholeText = `insert into tools.call as c (${begunColumns}, status, size, milliseconds, usage, output,
  "endedAt") values (${begunValues}, $14, $15, $16, $17, $18, now())
  on conflict (project, id) do update set ${again}, status = excluded.status, size = excluded.size,
    milliseconds = excluded.milliseconds, usage = excluded.usage, output = excluded.output, "endedAt" = excluded."endedAt"
  where c.size is null returning c."agentId" as id`

const valuesOf = (row: NewCall) => {
  const { project, id, owner, agentId, runId, toolId, toolName, kind, actor, grants, keyIds } = row
  const json = [JSON.stringify(actor), JSON.stringify(grants)]
  return [
    project,
    id,
    owner,
    agentId,
    runId,
    toolId,
    toolName,
    kind,
    ...json,
    keyIds,
    row.approved,
    row.instance
  ]
}

/** Records of calls: begun before they are made, so that none is missing. */
export function createCallStore({ knex, hot, facts }: Pick<Kernel, 'knex' | 'hot' | 'facts'>) {
  return {
    find: (id: string): Promise<CallRow | undefined> =>
      knex('tools.call')
        .where({ id })
        .first(...columns),

    findOutput: async (project: string, id: string): Promise<string | null> =>
      (await knex('tools.call').where({ project, id }).first('output'))?.output ?? null,

    list: (by: Principal, page: Paging, only: Partial<Pick<CallRow, 'agentId' | 'runId' | 'toolId'>>) =>
      paginate<CallRow>(
        reach(by, knex('tools.call'))
          .where(only)
          .select(...columns),
        page,
        'call'
      ),

    async insert(row: NewCall): Promise<void> {
      await hot.query('tools.call.begin', beginText, valuesOf(row))
    },

    /** Its end, and the fact of it. */
    async settle(call: EndedCall, fact: Recorded): Promise<void> {
      const { status, size, milliseconds, usage, output, isNew } = call
      const ended = [status, size, milliseconds, JSON.stringify(usage), output]
      const values = isNew ? [...valuesOf(call), ...ended] : [call.project, call.id, ...ended]
      const part = { text: isNew ? wholeText : endText, values }
      const parts = { call: part, fact: facts.rows([fact], 'call') }
      await hot.together(isNew ? 'tools.call.whole' : 'tools.call.end', parts, 'select id from call')
      facts.recorded([fact])
    },

    /** Those that no instance makes any more: of instances that are gone, and those that began before that time. */
    updateLost: (instances: readonly number[], before: Date): Promise<number> =>
      knex('tools.call')
        .where({ status: 'running' })
        .where((lost) => lost.whereIn('instance', [...instances]).orWhere('createdAt', '<', before))
        .update({ status: 'unknown', endedAt: knex.fn.now() }),

    /** Of the oldest `limit` those that began before that time. */
    removeOld: (before: Date, limit: number): Promise<number> =>
      knex('tools.call')
        .whereIn('id', knex('tools.call').orderBy('id').limit(limit).select('id'))
        .where('createdAt', '<', before)
        .whereNot({ status: 'running' })
        .delete()
  }
}
