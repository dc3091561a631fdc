import type { Chunk, ExecutionTable, Kernel, PageOf, Paging, Principal, Recorded, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { ExecutionState } from '../contract.ts'
import type { Ending, ExecutionRecord } from '../executions/journal.ts'
import { encode } from './json.ts'

export type ExecutionStore = ReturnType<typeof createExecutionStore>

const columns = [
  'project',
  'id',
  'owner',
  'workflowId',
  'workflowVersion',
  'status',
  'instance',
  'attempt',
  'crashes',
  'wakes',
  'cancelledFor',
  'depth',
  'rootId',
  'parentId',
  'parentStep',
  'input',
  'output',
  'error',
  'ending',
  'delegation',
  'createdAt',
  'endedAt'
] as const
const summary = [
  'id',
  'owner',
  'workflowId',
  'workflowVersion',
  'status',
  'error',
  'createdAt',
  'endedAt'
] as const

const statesText = `select x.id, x.status, x.output, x.error from workflows.execution x
  where x.project = $1 and x.id = any($2::text[])`

interface Deps extends Pick<Kernel, 'knex' | 'hot' | 'streams' | 'facts'> {
  executionTable: ExecutionTable<ExecutionRecord>
}

/** Executions, and how they wait. */
export function createExecutionStore({ knex, hot, streams, facts, executionTable }: Deps) {
  return {
    /** By id alone, across projects. */
    find: (id: string, on: Kernel['knex'] | Trx = knex): Promise<ExecutionRecord | undefined> =>
      on<ExecutionRecord>('workflows.execution')
        .where({ id })
        .first(...columns) as Promise<ExecutionRecord | undefined>,

    list: (
      by: Principal,
      {
        project,
        workflowId,
        status,
        ...page
      }: Paging & { project: string; workflowId: string; status?: string }
    ): Promise<PageOf<ExecutionRecord>> =>
      paginate(
        reach(by, knex('workflows.execution'), 'id')
          .where({ project, workflowId, ...(status && { status }) })
          .select(...summary),
        page,
        'execution'
      ),

    /** No instance's until it is woken; false when it was woken since `wakes` was read. */
    async settleWaiting(row: ExecutionRecord, chunk: Chunk, recorded: readonly Recorded[]): Promise<boolean> {
      const rows = await hot.together<{ id: string }>(
        'workflows.wait',
        {
          released: executionTable.releasing(row, 'waiting'),
          chunk: streams.fragment([chunk], 'released'),
          ...(recorded.length > 0 && { fact: facts.rows(recorded, 'released') })
        },
        'select id from released'
      )
      if (recorded.length > 0) facts.recorded(recorded)
      return rows.length > 0
    },

    /** How it is going to end; in the transaction that says what became of its steps. */
    updateEnding: async (trx: Trx, { project, id }: ExecutionRecord, ending: Ending): Promise<boolean> =>
      (await trx('workflows.execution')
        .where({ project, id })
        .whereNull('endedAt')
        .update({ ending: encode(ending), cancelledFor: null })) > 0,

    async listStates(
      trx: Trx,
      project: string,
      ids: readonly string[]
    ): Promise<ReadonlyMap<string, ExecutionState>> {
      const parts = { found: { text: statesText, values: [project, ids] } }
      const rows = await hot.together<ExecutionState>('workflows.states', parts, 'select * from found', trx)
      return new Map(rows.map((row) => [row.id, row]))
    },

    /** The row as it stays until the transaction ends. */
    lock: (
      trx: Trx,
      project: string,
      id: string
    ): Promise<Pick<ExecutionRecord, 'status' | 'endedAt'> | undefined> =>
      trx('workflows.execution').where({ project, id }).forUpdate().first('status', 'endedAt'),

    countOfRoot: async (project: string, rootId: string): Promise<number> => {
      const [row] = await knex('workflows.execution').where({ project, rootId }).count('* as count')
      return Number(row?.count)
    }
  }
}
