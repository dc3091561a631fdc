import type { Chunk, Kernel, Owned, OwnerRow, Principal, Recorded } from 'agent-platform'
import { createBatch, single } from 'agent-platform'
import type { ExecutionRecord } from '../executions/journal.ts'
import { encode } from './json.ts'

export type StartStore = ReturnType<typeof createStartStore>

/** What an execution is of: a workflow as it is now. */
export interface Executable extends Owned {
  readonly id: string
  readonly version: number
  /** Its owner; undefined while that is disabled. */
  readonly principal: Principal | undefined
}

/** An execution that begins, with all that one statement makes true. */
export interface Start {
  readonly row: ExecutionRecord
  readonly repetition: Repetition | undefined
  readonly chunk: Chunk
  readonly fact: Recorded
}

/** By which a request is recognised that came before. */
export interface Repetition {
  readonly key: string
  readonly digest: string
}

export interface Requested {
  readonly id: string
  readonly digest: string
}

const columns = [
  ['project', 'text'],
  ['id', 'text'],
  ['owner', 'text'],
  ['workflowId', 'text'],
  ['workflowVersion', 'int'],
  ['status', 'text'],
  ['instance', 'int'],
  ['depth', 'int'],
  ['rootId', 'text'],
  ['parentId', 'text'],
  ['parentStep', 'text'],
  ['createdAt', 'timestamptz'],
  ['input', 'jsonb'],
  ['delegation', 'jsonb'],
  ['requestKey', 'text'],
  ['requestDigest', 'text']
] as const
const names = columns.map(([name]) => `"${name}"`)
const executableText = `select w.project, w.id, w.owner, w.version from workflows.workflow w where w.id = any($1::text[])`
const ownerText = 'select distinct w.project, w.owner from workflow w'
const requestedText = `select x.id, x."requestDigest" as digest from workflows.execution x
  where x.project = $1 and x."requestKey" = $2`
// A deletion waits for what begins, and what begins for a deletion: each execution is there when those of a workflow that is
// gone are looked for.
const insertText = (given: string) => `insert into workflows.execution (${names.join(', ')})
  select ${names.map((name) => (name === '"input"' ? `coalesce(c.input, 'null')` : `c.${name}`)).join(', ')} from ${given}
  join workflows.workflow w on w.project = c.project and w.id = c."workflowId"
  for key share of w
  on conflict do nothing returning project, id`
const insertOneText = insertText(
  `(select ${columns.map(([name, type], index) => `$${index + 1}::${type} as "${name}"`).join(', ')}) c`
)
const insertManyText = insertText(
  `jsonb_to_recordset($1::jsonb) as c(${columns.map(([name, type]) => `"${name}" ${type}`).join(', ')})`
)

/** How executions come into the record. */
export function createStartStore({
  hot,
  streams,
  facts,
  principals
}: Pick<Kernel, 'hot' | 'streams' | 'facts' | 'principals'>) {
  async function insertAll(starts: readonly Start[]): Promise<readonly boolean[]> {
    const recorded = starts.map(({ fact }) => fact)
    const chunks = starts.map(({ chunk }) => chunk)
    const rows = await hot.together<{ id: string }>(
      'workflows.start',
      {
        execution: executionsOf(starts),
        chunk: streams.fragment(chunks, 'execution'),
        fact: facts.rows(recorded, 'execution')
      },
      'select id from execution'
    )
    facts.recorded(recorded)
    const made = new Set(rows.map(({ id }) => id))
    return starts.map(({ row }) => made.has(row.id))
  }

  return {
    /** One statement for all that are asked for at once. */
    findExecutable: createBatch(async (ids: readonly string[]): Promise<(Executable | undefined)[]> => {
      const rows = await hot.together<Omit<Executable, 'principal'> & { by: OwnerRow }>(
        'workflows.executable',
        {
          workflow: { text: executableText, values: [[...new Set(ids)]] },
          owned: { text: ownerText, values: [] },
          owner: principals.fragment('owned')
        },
        'select w.*, to_json(o) as by from workflow w join owner o on o.project = w.project and o.id = w.owner'
      )
      const found = new Map(
        rows.map(({ by, ...row }) => [row.id, { ...row, principal: principals.from(by) }])
      )
      return ids.map((id) => found.get(id))
    }),

    async findRequested(project: string, key: string): Promise<Requested | undefined> {
      const [row] = await hot.query<Requested>('workflows.requested', requestedText, [project, key])
      return row
    },

    /** Row, first events and fact in one statement; false when the workflow is gone, or one with the same key was faster. */
    insert: createBatch(insertAll, { size: ({ chunk, row }) => chunk.row.body.length + sizeOf(row.input) })
  }
}

const sizeOf = (input: unknown): number => JSON.stringify(input)?.length ?? 0

function executionsOf(starts: readonly Start[]) {
  const one = single(starts)
  if (!one) return { text: insertManyText, values: [encode(starts.map(rowOf))] }
  const row = rowOf(one)
  return {
    text: insertOneText,
    values: columns.map(([name, type]) => (type === 'jsonb' ? encode(row[name]) : row[name]))
  }
}

const rowOf = ({ row, repetition }: Start) => ({
  ...row,
  input: row.input ?? null,
  requestKey: repetition?.key ?? null,
  requestDigest: repetition?.digest ?? null
})
