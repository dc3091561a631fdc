import type { Kernel, PageOf, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Definition } from '../schemas/definition.ts'
import type { Version, VersionSummary } from '../schemas/versions.ts'
import type { Workflow } from '../schemas/workflows.ts'

export type VersionStore = ReturnType<typeof createVersionStore>

const summary = ['id', 'workflowId', 'version', 'createdAt'] as const
const MOST_CHARACTERS = 64_000_000
const findText = `select v.definition, length(v.definition::text) as size from workflows.version v
  where v.project = $1 and v."workflowId" = $2 and v.version <= $3 order by v.version desc limit 1`

/** Definitions as they were: what an execution began with stays. Never changed. */
export function createVersionStore({ hot, knex }: Pick<Kernel, 'hot' | 'knex'>) {
  const known = new LRUCache<string, Definition>({ max: 10_000, maxSize: MOST_CHARACTERS })

  return {
    /** The definition that a workflow had in that version; only edits of the definition make a row. */
    async find(project: string, workflowId: string, version: number): Promise<Definition | undefined> {
      const key = `${project}/${workflowId}/${version}`
      const found = known.get(key)
      if (found) return found
      const values = [project, workflowId, version]
      type Row = { definition: Definition; size: number }
      const [row] = await hot.query<Row>('workflows.version', findText, values)
      if (row) known.set(key, row.definition, { size: 1_000 + row.size })
      return row?.definition
    },

    list: (project: string, workflowId: string, page: Paging): Promise<PageOf<VersionSummary>> =>
      paginate(
        knex('workflows.version')
          .where({ project, workflowId })
          .select(...summary),
        page,
        'version'
      ),

    /** As `find`, with what lists tell of it. */
    findShown: (project: string, workflowId: string, version: number): Promise<Version | undefined> =>
      knex('workflows.version')
        .where({ project, workflowId })
        .where('version', '<=', version)
        .orderBy('version', 'desc')
        .first(...summary, 'definition') as Promise<Version | undefined>,

    async insert(
      trx: Trx,
      { project, owner, id: workflowId, version, definition }: Workflow & { project: string }
    ) {
      await trx('workflows.version').insert({
        project,
        id: newId('version'),
        owner,
        workflowId,
        version,
        definition: JSON.stringify(definition)
      })
    }
  }
}
