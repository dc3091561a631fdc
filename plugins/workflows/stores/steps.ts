import type { Chunk, Fragment, Kernel, Trx } from 'agent-platform'
import { single } from 'agent-platform'
import type { Arrival, Decision, ExecutionRecord, StepRow } from '../executions/journal.ts'
import { encode } from './json.ts'

export type StepStore = ReturnType<typeof createStepStore>

const columns = [
  ['id', 'text'],
  ['path', 'text'],
  ['stepId', 'text'],
  ['kind', 'text'],
  ['status', 'text'],
  ['attempt', 'int'],
  ['input', 'jsonb'],
  ['output', 'jsonb'],
  ['error', 'jsonb'],
  ['cost', 'jsonb'],
  ['usage', 'jsonb'],
  ['state', 'jsonb'],
  ['ref', 'text'],
  ['arrival', 'jsonb'],
  ['awaits', 'boolean'],
  ['deadline', 'timestamptz'],
  ['startedAt', 'timestamptz'],
  ['endedAt', 'timestamptz']
] as const
const names = columns.map(([name]) => `"${name}"`)
const fixed = new Set(['id', 'path', 'stepId', 'kind', 'arrival', 'startedAt'])
const changing = columns
  .filter(([name]) => !fixed.has(name))
  .map(([name]) => `"${name}" = excluded."${name}"`)
const defined = columns.map(([name, type]) => `"${name}" ${type}`).join(', ')
// What came since the step went on stays: only the arrival that it goes on with is taken.
const journalText = (given: string) => `insert into workflows.step as s
    (project, owner, "executionId", ${names.join(', ')})
  ${given}
  on conflict (project, id) do update set ${changing.join(', ')},
    arrival = case when s.arrival = excluded.arrival then null else s.arrival end
  returning s.id`
const manyText = journalText(`select $1, $2, $3, ${names.map((name) => `r.${name}`).join(', ')}
  from jsonb_to_recordset($4::jsonb) as r(${defined}) where exists (select from chunk)`)
const oneText =
  journalText(`select $1, $2, $3, ${columns.map(([, type], index) => `$${index + 4}::${type}`).join(', ')}
  where exists (select from chunk)`)
const endedText =
  journalText(`select r.project, r.owner, r."executionId", ${names.map((name) => `r.${name}`).join(', ')}
  from jsonb_to_recordset($1::jsonb) as r(project text, owner text, "executionId" text, ${defined})
  where exists (select from ended e where e.id = r."executionId")`)
const shown = [...columns.map(([name]) => name), 'decisions'] as const

const valuesOf = (row: StepRow): unknown[] =>
  columns.map(([name, type]) => (type === 'jsonb' && row[name] !== null ? encode(row[name]) : row[name]))

/** Rows with the last events of their executions: a part of a statement behind a query `ended`, which has their `id`. */
export function endedSteps(
  ends: readonly { readonly row: Key; readonly steps: readonly StepRow[] }[]
): Fragment {
  const rows = ends.flatMap(({ row: { project, owner, id }, steps }) =>
    steps.map((step) => ({ ...step, project, owner, executionId: id }))
  )
  return { text: endedText, values: [encode(rows)] }
}
const MOST_AWAITING = 1_000

type Key = Pick<ExecutionRecord, 'project' | 'id' | 'owner'>

/** The journal of executions. */
export function createStepStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  return {
    list: (project: string, executionId: string): Promise<StepRow[]> =>
      knex('workflows.step')
        .where({ project, executionId })
        .orderBy('id')
        .select(...shown),

    /** Those that others have written to: something has come, or is waited for. */
    listMoved: (project: string, executionId: string): Promise<StepRow[]> =>
      knex('workflows.step')
        .where({ project, executionId })
        .whereIn('status', ['running', 'waiting'])
        .where((moved) => moved.whereNotNull('arrival').orWhere({ awaits: true }))
        .select(...shown),

    find: (
      project: string,
      id: string,
      on: Kernel['knex'] | Trx = knex
    ): Promise<(StepRow & { executionId: string }) | undefined> =>
      on('workflows.step')
        .where({ project, id })
        .first('executionId', ...shown),

    /** Those that wait for an event of that name in an execution, or for that address; the first of them first. */
    listAwaiting: (
      project: string,
      where: { readonly executionId: string; readonly event: string } | { readonly ref: string },
      on: Kernel['knex'] | Trx = knex
    ): Promise<(StepRow & { executionId: string })[]> =>
      on('workflows.step')
        .where({ project, kind: 'wait', status: 'waiting', awaits: true })
        .whereNull('arrival')
        .where((meant) => {
          if ('ref' in where) meant.where({ ref: where.ref })
          else meant.where({ executionId: where.executionId }).whereRaw(`input->>'event' = ?`, [where.event])
        })
        .orderBy('id')
        .limit(MOST_AWAITING)
        .select('executionId', ...shown),

    /** Those that wait for these runs or executions, by execution. */
    listByRefs: (
      trx: Trx,
      project: string,
      refs: readonly string[]
    ): Promise<Pick<StepRow & { executionId: string }, 'id' | 'executionId'>[]> =>
      trx('workflows.step')
        .where({ project, status: 'waiting' })
        .whereIn('ref', [...refs])
        .orderBy(['executionId', 'id'])
        .select('id', 'executionId'),

    /** The one that waits for that run or execution. */
    findByRef: (
      trx: Trx,
      project: string,
      ref: string
    ): Promise<(StepRow & { executionId: string }) | undefined> =>
      trx('workflows.step')
        .where({ project, ref, status: 'waiting' })
        .first('executionId', ...shown),

    /** Rows with the events that tell of them, in one commit; false when the chunk is refused. */
    async settle(
      { project, owner, id }: Key,
      rows: readonly StepRow[],
      chunk: Chunk,
      trx?: Trx
    ): Promise<boolean> {
      const one = single(rows)
      const text = one ? oneText : manyText
      const values = [project, owner, id, ...(one ? valuesOf(one) : [encode(rows)])]
      const written = await hot.together<{ id: string }>(
        'workflows.journal',
        { chunk: chunk.fragment, step: { text, values } },
        'select id from step',
        trx
      )
      return written.length > 0
    },

    /** In the caller's transaction; false for one that waits no more. */
    updateArrival: async (trx: Trx, project: string, id: string, arrival: Arrival): Promise<boolean> =>
      (await trx('workflows.step')
        .where({ project, id })
        .whereIn('status', ['running', 'waiting'])
        .update({ arrival: JSON.stringify(arrival) })) > 0,

    updateAwaits: async (trx: Trx, project: string, id: string, awaits: boolean): Promise<boolean> =>
      (await trx('workflows.step').where({ project, id, status: 'waiting' }).update({ awaits })) > 0,

    updateDecisions: async (
      trx: Trx,
      project: string,
      id: string,
      decisions: readonly Decision[]
    ): Promise<void> => {
      await trx('workflows.step')
        .where({ project, id })
        .update({ decisions: encode(decisions) })
    },

    /** Tokens that the steps of all executions of one tree took. */
    async countTokens(project: string, rootId: string): Promise<number> {
      const { rows } = await knex.raw(
        `select coalesce(sum((s.cost->>'inputTokens')::bigint + (s.cost->>'outputTokens')::bigint), 0)::float8 as tokens
          from workflows.execution e join workflows.step s on s.project = e.project and s."executionId" = e.id
          where e.project = ? and e."rootId" = ? and s.kind <> 'workflow'`,
        [project, rootId]
      )
      return rows[0].tokens
    },

    removeOfExecutions: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      trx('workflows.step')
        .where({ project })
        .whereIn('executionId', [...ids])
        .delete()
  }
}
