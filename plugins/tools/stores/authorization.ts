import type { Kernel, Searching, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { AssignmentRow, ToolRow } from '../rows.ts'
import { tools } from '../schemas/tools.ts'
import type { EffectiveSubjects, Granted } from '../subjects.ts'

export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>

/** An assignment beside its tool, with the permissions that may bear on it. */
export interface Candidate {
  readonly assignment: Pick<AssignmentRow, 'id' | 'owner' | 'agentId' | 'toolId' | 'policy' | 'enabled'>
  readonly tool: ToolRow | undefined
  readonly granted: readonly Granted[]
}
/** A tool, as far as it takes to say who holds it. */
export type GrantableTool = Pick<ToolRow, 'project' | 'id' | 'owner' | 'name' | 'kind'>

const grantableColumns = ['id', 'project', 'owner', 'name', 'kind'] as const

const toolList = tools.columns.map((column) => `t."${column}"`).join(', ')
/** Of permissions only those of some subjects are looked at, since a tool may have any number of them. */
const grantedText = (ofTools: string, ofSubjects: string) => `(
  select json_agg(json_build_object('id', p.id, 'toolId', p."toolId", 'level', p.level,
    'subjectType', p."subjectType", 'subjectId', p."subjectId"))
  from tools.permission p where p.project = $1 and p."toolId" ${ofTools} and p."subjectId" ${ofSubjects}
) as granted`

// As one row: to take a hundred of them apart would cost more than all the rest. What tools are like is remembered.
const listText = `
  with mine as materialized (
    select a.id, a.owner, a."toolId", a.policy, a.enabled, t.version, t.owner as "toolOwner"
    from tools.assignment a left join tools.tool t on t.id = a."toolId" and t.project || '' = a.project
    where a.project = $1 and a."agentId" = $2)
  select (select json_agg(mine) from mine) as assigned, ${grantedText(
    '= any(array(select "toolId" from mine))',
    '= any($3::text[] || array(select owner collate "C" from mine limit 1))'
  )}`
const findText = `
  select a.id as "assignmentId", a.owner as "agentOwner", a."toolId", a.policy, a.enabled, ${toolList},
    ${grantedText('= a."toolId"', '= any($3::text[] || (a.owner collate "C"))')}
  from tools.assignment a left join tools.tool t on t.id = a."toolId" and t.project || '' = a.project
  where a.project = $1 and a."agentId" = $2 and a."toolId" = any(array[$4,
    (select named.id from tools.tool named where named.project = $1 and named.name = $4)])
  order by a."toolId" = $4 desc limit 1`
const withGrantsText = `
  select ${grantableColumns.map((column) => `t.${column}`).join(', ')},
    ${grantedText('= t.id', '= any($3::text[])')}
  from tools.tool t where t.id = any($2::text[]) and t.project || '' = $1`
const toolsText = `select ${toolList} from tools.tool t where t.id = any($1::text[])`

type Assigned = Pick<AssignmentRow, 'id' | 'owner' | 'toolId' | 'policy' | 'enabled'>
interface ListRow {
  readonly assigned: readonly (Assigned & { version: number | null; toolOwner: string | null })[] | null
  readonly granted: readonly (Granted & { toolId: string })[] | null
}
type FoundRow = Omit<ToolRow, 'id'> &
  Omit<Assigned, 'id' | 'owner'> & {
    readonly id: string | null
    readonly assignmentId: string
    readonly agentOwner: string
    readonly granted: readonly Granted[] | null
  }
type GrantedRow = GrantableTool & { readonly granted: readonly Granted[] | null }

const subjectIds = (...all: readonly EffectiveSubjects[]) => [
  ...new Set(all.flatMap(({ subjects }) => subjects.map(({ subjectId }) => subjectId)))
]

/** What decides who may call which tool; each question is one statement. */
export function createAuthorizationStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const remembered = new LRUCache<string, ToolRow>({ max: 10_000, maxSize: 64_000_000 })

  /** From memory where they still are as they were. */
  async function listTools(assigned: NonNullable<ListRow['assigned']>): Promise<Map<string, ToolRow>> {
    const tools = new Map<string, ToolRow>()
    const missing: string[] = []
    for (const { toolId, version, toolOwner } of assigned) {
      if (version === null) continue
      const known = remembered.get(toolId)
      if (known?.version === version && known.owner === toolOwner) tools.set(toolId, known)
      else missing.push(toolId)
    }
    if (missing.length === 0) return tools
    for (const tool of await hot.query<ToolRow>('tools.tools', toolsText, [missing])) {
      const size = 1_000 + JSON.stringify([tool.parameters, tool.config, tool.description]).length
      remembered.set(tool.id, tool, { size })
      tools.set(tool.id, tool)
    }
    return tools
  }

  return {
    /** All that the agent was assigned. Permissions of the agent's owner are among those found. */
    async list(project: string, agentId: string, all: readonly EffectiveSubjects[]): Promise<Candidate[]> {
      const values = [project, agentId, subjectIds(...all)]
      const [row] = await hot.query<ListRow>('tools.assigned', listText, values)
      const assigned = row?.assigned ?? []
      const granted = Map.groupBy(row?.granted ?? [], ({ toolId }) => toolId)
      const tools = await listTools(assigned)
      return assigned.map(({ id, owner, toolId, policy, enabled }) => ({
        assignment: { id, owner, agentId, toolId, policy, enabled },
        tool: tools.get(toolId),
        granted: granted.get(toolId) ?? []
      }))
    },

    /** By the tool's id, else by its name. */
    async find(
      project: string,
      agentId: string,
      all: readonly EffectiveSubjects[],
      nameOrId: string
    ): Promise<Candidate | undefined> {
      const values = [project, agentId, subjectIds(...all), nameOrId]
      const [row] = await hot.query<FoundRow>('tools.assigned_one', findText, values)
      if (!row) return undefined
      const { assignmentId: id, agentOwner: owner, toolId, policy, enabled, granted, ...tool } = row
      return {
        assignment: { id, owner, agentId, toolId, policy, enabled },
        tool: tool.id === null ? undefined : (tool as ToolRow),
        granted: granted ?? []
      }
    },

    /** Tools of the project, with the permissions of these subjects. */
    async listWithGrants(effective: EffectiveSubjects, ids: readonly string[]) {
      const values = [effective.project, ids, subjectIds(effective)]
      const rows = await hot.query<GrantedRow>('tools.granted', withGrantsText, values)
      return rows.map(({ granted, ...tool }) => ({ tool, granted: granted ?? [] }))
    },

    /** By their ids, whatever their project, or by their names in this one. */
    listNamed: (project: string, namesOrIds: readonly string[]): Promise<GrantableTool[]> =>
      knex('tools.tool')
        .whereIn('id', [...namesOrIds])
        .orWhere((named) => named.where({ project }).whereIn('name', [...namesOrIds]))
        .select(...grantableColumns),

    /** Keeps tools and their owners as they are until the transaction ends; those that are gone are left out. */
    take: (trx: Trx, project: string, ids: readonly string[]): Promise<GrantableTool[]> =>
      trx('tools.tool')
        .where({ project })
        .whereIn('id', [...ids])
        .orderBy('id')
        .forKeyShare()
        .select(...grantableColumns),

    /** Their permissions of tools, as the transaction sees them. */
    listGranted: (
      trx: Trx,
      effective: EffectiveSubjects,
      toolIds: readonly string[]
    ): Promise<(Granted & { toolId: string })[]> =>
      trx('tools.permission')
        .where({ project: effective.project })
        .whereIn('toolId', [...toolIds])
        .whereIn('subjectId', subjectIds(effective))
        .select('id', 'toolId', 'subjectType', 'subjectId', 'level'),

    /** All tools that they may use. */
    listUsable(
      effective: EffectiveSubjects,
      page: Searching,
      { kind, owner }: { kind?: string | undefined; owner?: string | undefined } = {}
    ) {
      const { project, reachesAll, owners, subjects } = effective
      const only = { ...(kind !== undefined && { kind }), ...(owner !== undefined && { owner }) }
      const usable = knex(tools.name).where({ project, ...only })
      if (!reachesAll)
        usable.whereIn('id', (ids) => {
          ids.from('tools.tool').where({ project })
          ids
            .whereIn(
              'owner',
              owners.map(({ owner }) => owner)
            )
            .select('id')
          for (const { subjectType, subjectId } of subjects)
            ids.union(knex('tools.permission').where({ project, subjectType, subjectId }).select('toolId'))
        })
      return paginate<ToolRow>(usable.select(...tools.columns), page, 'tool', ['name', 'description'])
    }
  }
}
