import type {
  Chunk,
  ExecutionTable,
  Fragment,
  Kernel,
  PageOf,
  Paging,
  Principal,
  Recorded,
  Trx
} from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Ending, ExecutionRecord, StepError } from '../executions/journal.ts'
import { encode } from './json.ts'

export type ExecutionStore = ReturnType<typeof createExecutionStore>

export interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly output: unknown
  readonly error: StepError | null
}

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

const endText = `update workflows.execution x set status = $3, output = $4::jsonb, error = $5::jsonb, instance = null,
    ending = null, "endedAt" = now(), "cancelledFor" = case when $3 = 'cancelled' then x."cancelledFor" end
  where x.project = $1 and x.id = $2 and x."endedAt" is null and exists (select from chunk) returning x.id`

interface Deps extends Pick<Kernel, 'knex' | 'hot' | 'streams' | 'facts'> {
  executionTable: ExecutionTable<ExecutionRecord>
}

/** Executions, and how they begin, wait and end. */
export function createExecutionStore({ knex, hot, streams, facts, executionTable }: Deps) {
  async function together(
    name: string,
    parts: Readonly<Record<string, Fragment>>,
    given: string,
    recorded: readonly Recorded[],
    trx?: Trx
  ): Promise<boolean> {
    const rows = await hot.together<{ id: string }>(
      name,
      { ...parts, ...(recorded.length > 0 && { fact: facts.rows(recorded, given) }) },
      `select id from ${given}`,
      trx
    )
    if (recorded.length > 0) facts.recorded(recorded)
    return rows.length > 0
  }

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
    settleWaiting: (row: ExecutionRecord, chunk: Chunk, recorded: readonly Recorded[]): Promise<boolean> =>
      together(
        'workflows.wait',
        { released: executionTable.releasing(row, 'waiting'), chunk: streams.fragment([chunk], 'released') },
        'released',
        recorded
      ),

    /** False when the chunk is refused. */
    settleEnded: (
      { project, id }: ExecutionRecord,
      { status, output, error }: End,
      chunk: Chunk,
      recorded: readonly Recorded[],
      trx?: Trx
    ): Promise<boolean> =>
      together(
        'workflows.end',
        {
          chunk: chunk.fragment,
          ended: {
            text: endText,
            values: [
              project,
              id,
              status,
              output === undefined ? null : encode(output),
              error && encode(error)
            ]
          }
        },
        'ended',
        recorded,
        trx
      ),

    /** How it is going to end; in the transaction that says what became of its steps. */
    updateEnding: async (trx: Trx, { project, id }: ExecutionRecord, ending: Ending): Promise<boolean> =>
      (await trx('workflows.execution')
        .where({ project, id })
        .whereNull('endedAt')
        .update({ ending: encode(ending), cancelledFor: null })) > 0,

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
