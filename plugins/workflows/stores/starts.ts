import type { Chunk, Kernel, Owned, Recorded } from 'agent-platform'
import type { ExecutionRecord } from '../executions/journal.ts'
import { encode } from './json.ts'

export type StartStore = ReturnType<typeof createStartStore>

/** What an execution is of: a workflow as it is now. */
export interface Executable extends Owned {
  readonly id: string
  readonly version: number
}

/** By which a request is recognised that came before. */
export interface Repetition {
  readonly key: string
  readonly digest: string
}

interface Requested {
  readonly id: string
  readonly digest: string
}

const columns = [
  'project',
  'id',
  'owner',
  'workflowId',
  'workflowVersion',
  'status',
  'instance',
  'depth',
  'rootId',
  'parentId',
  'parentStep',
  'createdAt'
] as const
const places = columns.map((_, index) => `$${index + 1}`)
const executableText = `select w.project, w.id, w.owner, w.version from workflows.workflow w where w.id = $1`
const requestedText = `select x.id, x."requestDigest" as digest from workflows.execution x
  where x.project = $1 and x."requestKey" = $2`
const insertText = `insert into workflows.execution (${columns.map((name) => `"${name}"`).join(', ')},
    input, "requestKey", "requestDigest")
  select ${places.join(', ')}, $13::jsonb, $14, $15
  where exists (select from workflows.workflow w where w.project = $1 and w.id = $4)
  on conflict do nothing returning project, id`

/** How executions come into the record. */
export function createStartStore({ hot, streams, facts }: Pick<Kernel, 'hot' | 'streams' | 'facts'>) {
  return {
    async findExecutable(workflowId: string): Promise<Executable | undefined> {
      const [row] = await hot.query<Executable>('workflows.executable', executableText, [workflowId])
      return row
    },

    async findRequested(project: string, key: string): Promise<Requested | undefined> {
      const [row] = await hot.query<Requested>('workflows.requested', requestedText, [project, key])
      return row
    },

    /** Row, first events and fact in one statement; false when the workflow is gone, or one with the same key was faster. */
    async insert(
      row: ExecutionRecord,
      repetition: Repetition | undefined,
      chunk: Chunk,
      fact: Recorded
    ): Promise<boolean> {
      const values = columns.map((name) => row[name])
      const request = [repetition?.key ?? null, repetition?.digest ?? null]
      const rows = await hot.together<{ id: string }>(
        'workflows.start',
        {
          execution: { text: insertText, values: [...values, encode(row.input), ...request] },
          chunk: streams.fragment([chunk], 'execution'),
          fact: facts.rows([fact], 'execution')
        },
        'select id from execution'
      )
      facts.recorded([fact])
      return rows.length > 0
    }
  }
}
