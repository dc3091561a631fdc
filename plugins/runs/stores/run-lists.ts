import type { Kernel, PageOf, Paging, Principal, Searching } from 'agent-platform'
import { firstIdAt, paginate, reach } from 'agent-platform'
import type { Knex } from 'knex'
import type { RunFilter } from '../contract.ts'
import type { ListedRun, RunQuery } from '../schemas/lists.ts'
import type { Usage } from '../schemas/runs.ts'
import type { StoredRun } from './row.ts'

export type RunListStore = ReturnType<typeof createRunListStore>

type Row = Omit<ListedRun, 'sessionTitle' | 'pending' | 'usage'> &
  Pick<StoredRun, 'project' | 'usage'> & { readonly pending: ListedRun['pending'] | null }

const columns = [
  'project',
  'id',
  'owner',
  'sessionId',
  'agentId',
  'asked',
  'modelProvider',
  'modelId',
  'usage',
  'error',
  'createdAt',
  'endedAt'
].map((name) => `r.${name}`)

const open = `c.project = r.project and c."runId" = r.id and c."endedAt" is null
  and (c."callerDeadline" is not null or c."approvalDeadline" is not null and c.approved is null)`
const unanswered = 'q.project = r.project and q."runId" = r.id and q.action is null'
const isAsked = `exists (select from runs.question q where ${unanswered})`
const isOpen = `(exists (select from runs.call c where ${open}) or ${isAsked})`

/** As runs are shown: see `statusOf` of `waits/pending.ts`. */
const shownText = `case when r.status = 'waiting' and not ${isOpen} then 'running'
  when r.status = 'running' and ${isAsked} then 'waiting' else r.status end`
const pendingText = `case when r.status in ('running', 'waiting') then (
  select json_agg(json_build_object('callId', w.id, 'toolName', w."toolName", 'for', w.for, 'deadline', w.deadline)
    order by w.deadline, w.id)
  from (
    select c.id, c."toolName", coalesce(c."callerDeadline", c."approvalDeadline") as deadline,
      case when c."callerDeadline" is null then 'approval' else 'result' end as for
    from runs.call c where ${open}
    union all
    select q."callId", c."toolName", q.deadline, 'elicitation' from runs.question q
      join runs.call c on c.project = q.project and c.id = q."callId" where ${unanswered}) w) end`

/** Lists of runs: without what was said in them. */
export function createRunListStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    list(
      by: Principal,
      page: Searching,
      { status, agentId, sessionId, runId, from, to, minMilliseconds }: Omit<RunFilter, keyof Paging>
    ) {
      const query = reach(by, knex('runs.run as r'))
        .where({
          ...(agentId !== undefined && { agentId }),
          ...(sessionId !== undefined && { sessionId }),
          ...(runId !== undefined && { id: runId })
        })
        .select(...columns, knex.raw(`${shownText} as status`), knex.raw(`${pendingText} as pending`))
      if (from !== undefined) query.where('r.id', '>=', firstIdAt('run', new Date(from).getTime()))
      if (to !== undefined) query.where('r.id', '<', firstIdAt('run', new Date(to).getTime()))
      if (minMilliseconds !== undefined)
        query.whereRaw(`r."endedAt" >= r."createdAt" + ? * interval '1 millisecond'`, [minMilliseconds])
      return paginate<Row>(status === undefined ? query : ofStatus(query, status), page, 'run', ['asked'])
    },

    /** Those that have ended, the newest first: of all owners, or of those that the principal reaches. */
    listEnded(
      project: string,
      { runId, agentId, sessionId }: Pick<RunFilter, 'runId' | 'agentId' | 'sessionId'>,
      page: Paging,
      by: Principal | undefined
    ): Promise<PageOf<{ id: string }>> {
      const query = knex('runs.run')
        .where({
          project,
          ...(agentId !== undefined && { agentId }),
          ...(sessionId !== undefined && { sessionId }),
          ...(runId !== undefined && { id: runId })
        })
        .whereNotNull('endedAt')
        .select('id')
      return paginate(by ? reach(by, query) : query, page, 'run')
    },

    /** What the finished steps of runs used up, by run. */
    async listUsage(project: string, runs: readonly string[]): Promise<ReadonlyMap<string, Usage[]>> {
      if (runs.length === 0) return new Map()
      const rows: { runId: string; usage: Usage }[] = await knex('runs.step')
        .where({ project })
        .whereIn('runId', [...runs])
        .select('runId', 'usage')
      const byRun = Map.groupBy(rows, ({ runId }) => runId)
      return new Map([...byRun].map(([id, steps]) => [id, steps.map(({ usage }) => usage)]))
    }
  }
}

/** The conditions of `shownText` one by one, so that an index serves them. */
function ofStatus<Q extends Knex.QueryBuilder>(query: Q, status: NonNullable<RunQuery['status']>) {
  if (status !== 'running' && status !== 'waiting') {
    query.where('r.status', status)
    return status === 'queued' ? query.whereNull('r.endedAt') : query
  }
  const condition =
    status === 'waiting'
      ? `(r.status = 'waiting' and ${isOpen} or r.status = 'running' and ${isAsked})`
      : `(r.status = 'waiting' and not ${isOpen} or r.status = 'running' and not ${isAsked})`
  return query.whereNull('r.endedAt').whereRaw(condition)
}
