import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import { items } from '../schemas/items.ts'
import type { Failure, Result, ResultQuery } from '../schemas/results.ts'
import { Result as ResultSchema } from '../schemas/results.ts'

export type ResultStore = ReturnType<typeof createResultStore>
export interface ResultRow extends Result, Owned {
  readonly agentId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly sessionId: string | null
  readonly startedAt: string | null
  readonly answeredAt: string | null
}
interface Of {
  readonly project: string
  readonly id: string
}
type Answer = Pick<ResultRow, 'sessionId' | 'output' | 'usage' | 'cost' | 'milliseconds'>
export type Outcome = Partial<Answer & Pick<ResultRow, 'scores' | 'score' | 'passed'>> & {
  readonly status: 'completed' | 'failed'
  readonly error?: Failure
}

export const RESULTS = 'evaluations.result'
const BATCH = 1_000
const shown = Object.keys(ResultSchema.properties)
const columns = ['project', 'owner', ...shown, 'agentId', 'metadata', 'sessionId', 'startedAt', 'answeredAt']

/** Numbers that are shown as text come as text, and JSON is written as such. */
const stored = ({ scores, error, usage, ...row }: Partial<ResultRow>) => ({
  ...row,
  ...(scores && { scores: JSON.stringify(scores) }),
  ...(error && { error: JSON.stringify(error) }),
  ...(usage && { usage: JSON.stringify(usage) })
})

export function createResultStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string): Promise<ResultRow | undefined> => knex(RESULTS).where({ id }).first(columns),

    /** Undefined where it is over, or gone. */
    findOpen: (trx: Trx, { project, id }: Of): Promise<ResultRow | undefined> =>
      trx(RESULTS).where({ project, id }).whereNull('endedAt').first(columns),

    list(project: string, experimentId: string, { outcome, ...page }: ResultQuery) {
      const query = knex(RESULTS).where({ project, experimentId }).select(shown)
      if (outcome === 'passed') query.where({ passed: true })
      if (outcome === 'not_passed') query.where({ passed: false })
      if (outcome === 'failed') query.where({ status: 'failed' })
      return paginate<Result>(query, page, 'result')
    },

    /** Those of these runs that have no answer yet. */
    listOfRuns: (trx: Trx, runs: readonly (readonly [project: string, runId: string])[]) =>
      trx(RESULTS)
        .whereIn(['project', 'runId'], runs as [string, string][])
        .where({ status: 'running' })
        .select(columns) as Promise<ResultRow[]>,

    /** One for each of these items that is there, as it is then. Their ids are in the order of the items. */
    async insertOf(
      trx: Trx,
      { project, owner, id: experimentId, agentId }: Of & Owned & { readonly agentId: string },
      itemIds: readonly string[]
    ): Promise<void> {
      const ids = itemIds.map(() => newId('result'))
      for (let from = 0; from < ids.length; from += BATCH)
        await trx.raw(
          `insert into ${RESULTS} (project, owner, id, "experimentId", "agentId", "itemId", input, expected, metadata)
             select i.project, ?, g.id, ?, ?, i.id, i.input, i.expected, i.metadata
             from unnest(?::text[], ?::text[]) g (id, item)
             join ${items.name} i on i.project = ? and i.id = g.item`,
          [
            owner,
            experimentId,
            agentId,
            ids.slice(from, from + BATCH),
            itemIds.slice(from, from + BATCH),
            project
          ]
        )
    },

    async countOpen(trx: Trx, { project, id: experimentId }: Of): Promise<number> {
      const [found] = await trx(RESULTS)
        .where({ project, experimentId })
        .whereNull('endedAt')
        .whereIn('status', ['running', 'scoring'])
        .count('id as count')
      return Number((found as { count: string }).count)
    },

    /** The next ones, which are to be run: with the runs that they will have. */
    async takeQueued(trx: Trx, { project, id: experimentId }: Of, limit: number): Promise<string[]> {
      const ids = await trx(RESULTS)
        .where({ project, experimentId, status: 'queued' })
        .whereNull('endedAt')
        .orderBy('id')
        .limit(limit)
        .pluck('id')
      for (const id of ids)
        await trx(RESULTS)
          .where({ project, id })
          .update({ status: 'running', runId: newId('run'), startedAt: trx.fn.now() })
      return ids
    },

    /** How it stands by then. */
    async updateSession({ project, id }: Of, sessionId: string): Promise<ResultRow['status'] | undefined> {
      const [row] = await knex(RESULTS).where({ project, id }).update({ sessionId }).returning('status')
      return row?.status
    },

    updateAnswered: async (trx: Trx, { project, id }: Of, answer: Answer): Promise<void> => {
      await trx(RESULTS)
        .where({ project, id })
        .update({ ...stored(answer), status: 'scoring', answeredAt: trx.fn.now() })
    },

    settle: async (trx: Trx, { project, id }: Of, outcome: Outcome): Promise<void> => {
      await trx(RESULTS)
        .where({ project, id })
        .update({ ...stored(outcome), endedAt: trx.fn.now() })
    },

    /** All that is not over is cancelled; the runs that may be under way. */
    async settleOpen(trx: Trx, { project, id: experimentId }: Of): Promise<string[]> {
      const runs = await trx(RESULTS)
        .where({ project, experimentId, status: 'running' })
        .whereNull('endedAt')
        .pluck('runId')
      await trx(RESULTS)
        .where({ project, experimentId })
        .whereNull('endedAt')
        .update({ status: 'cancelled', endedAt: trx.fn.now() })
      return runs
    },

    /** Some of these experiments, with their sessions. */
    async removeSome(
      trx: Trx,
      project: string,
      experimentIds: readonly string[],
      limit: number
    ): Promise<Pick<ResultRow, 'owner' | 'sessionId'>[]> {
      const some = trx(RESULTS)
        .where({ project })
        .whereIn('experimentId', [...experimentIds])
        .limit(limit)
        .select('id')
      return trx(RESULTS).where({ project }).whereIn('id', some).delete().returning(['owner', 'sessionId'])
    }
  }
}
