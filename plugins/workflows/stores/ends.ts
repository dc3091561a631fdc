import type { Chunk, Kernel, Recorded, Trx } from 'agent-platform'
import { createBatch, single } from 'agent-platform'
import type { ExecutionRecord, StepError, StepRow } from '../executions/journal.ts'
import { sizeOf } from '../executions/journal.ts'
import { encode } from './json.ts'
import { endedSteps } from './steps.ts'

export type EndStore = ReturnType<typeof createEndStore>

export interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly output: unknown
  readonly error: StepError | null
}

/** How an execution ends, with all that one statement makes true. */
export interface Ended {
  readonly row: Pick<ExecutionRecord, 'project' | 'id' | 'owner'>
  readonly end: End
  /** What was done without effect and is not in the record. */
  readonly steps: readonly StepRow[]
  readonly chunk: Chunk
  readonly fact: Recorded
}

const endText = (status: string, output: string, error: string) => `update workflows.execution x
  set status = ${status}, output = ${output}, error = ${error}, instance = null, ending = null, "endedAt" = now(),
    "cancelledFor" = case when ${status} = 'cancelled' then x."cancelledFor" end`
// By the index on `id`, and without a join: a plan made while the table is small would go through all of it, or through all
// that the project has.
const oneText = `${endText('$3', '$4::jsonb', '$5::jsonb')}
  where x.id = $2 and x.project || '' = $1 and num_nulls(x."endedAt") = 1 and exists (select from chunk)
  returning x.id`
const given = (name: string) => `$1::jsonb -> x.id -> '${name}'`
const manyText = `${endText("$1::jsonb -> x.id ->> 'status'", given('output'), `nullif(${given('error')}, 'null')`)}
  where x.id = any (array(select k.stream from chunk k)) and $1::jsonb -> x.id ->> 'project' = x.project
    and num_nulls(x."endedAt") = 1 returning x.id`

/** Ends executions: last steps and events, row and fact in one statement, batched while others wait. */
export function createEndStore({ hot, streams, facts }: Pick<Kernel, 'hot' | 'streams' | 'facts'>) {
  async function settleAll(ends: readonly Ended[], trx?: Trx): Promise<readonly boolean[]> {
    const recorded = ends.map(({ fact }) => fact)
    const rows = await hot.together<{ id: string }>(
      'workflows.end',
      {
        chunk: streams.fragment(ends.map(({ chunk }) => chunk)),
        ended: ended(ends),
        ...(ends.some(({ steps }) => steps.length > 0) && { step: endedSteps(ends) }),
        fact: facts.rows(recorded, 'ended')
      },
      'select id from ended',
      trx
    )
    facts.recorded(recorded)
    const made = new Set(rows.map(({ id }) => id))
    return ends.map(({ row }) => made.has(row.id))
  }

  return {
    /** False when the chunk is refused, or it has ended. */
    settle: createBatch((ends: readonly Ended[]) => settleAll(ends), { size: sizeOfEnd }),

    /** The same in a transaction. */
    settleWith: async (trx: Trx, end: Ended): Promise<boolean> => (await settleAll([end], trx))[0] === true
  }
}

const sizeOfEnd = ({ chunk, steps }: Ended): number =>
  // What it gives is in its last event too.
  steps.reduce((sum, step) => sum + sizeOf(step), 2 * chunk.row.body.length)

function ended(ends: readonly Ended[]) {
  const one = single(ends)
  if (!one) return { text: manyText, values: [encode(Object.fromEntries(ends.map(rowOf)))] }
  const { row, end } = one
  const [output, error] = [
    end.output === undefined ? null : encode(end.output),
    end.error && encode(end.error)
  ]
  return { text: oneText, values: [row.project, row.id, end.status, output, error] }
}

const rowOf = ({ row: { id, project }, end: { status, output, error } }: Ended) => [
  id,
  { project, status, output, error }
]
