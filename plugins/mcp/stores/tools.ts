import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { ServerRow } from './servers.ts'

export type ToolStore = ReturnType<typeof createToolStore>

/** A tool as its server defines it. */
export interface Definition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
}

export interface ToolRow extends Owned {
  readonly id: string
  readonly serverId: string
  readonly name: string
  readonly toolName: string
  readonly definition: Definition
  readonly digest: string
  readonly approvedDigest: string | null
  readonly missing: boolean
  /** Why its parameters are of no use, if so. */
  readonly fault: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

type Key = Pick<ToolRow, 'project' | 'id'>
export type NewTool = Omit<ToolRow, 'createdAt' | 'updatedAt'>

const columns = [
  'project',
  'id',
  'owner',
  'serverId',
  'name',
  'toolName',
  'definition',
  'digest',
  'approvedDigest',
  'missing',
  'fault',
  'createdAt',
  'updatedAt'
] as const

export function createToolStore({ knex }: Pick<Kernel, 'knex'>) {
  const tools = (on: Kernel['knex'] | Trx = knex) => on<ToolRow>('mcp.tool')

  return {
    /** By id alone, across projects: this is what tells 403 from 404. */
    find: (id: string): Promise<ToolRow | undefined> =>
      tools()
        .where({ id })
        .first(...columns),

    findNamed: (project: string, toolName: string): Promise<ToolRow | undefined> =>
      tools()
        .where({ project, toolName })
        .first(...columns),

    /** What is called when a tool is called, and where, in one query. */
    async findCalled(project: string, id: string): Promise<{ tool: ToolRow; server: ServerRow } | undefined> {
      const row = await knex('mcp.tool as t')
        .join('mcp.server as s', { 's.project': 't.project', 's.id': 't.serverId' })
        .where({ 't.project': project, 't.id': id })
        .first(knex.raw('to_jsonb(t) as tool'), knex.raw('to_jsonb(s) as server'))
      return row && { tool: row.tool, server: row.server }
    },

    listOfServer: (project: string, serverId: string, page: Paging) =>
      paginate<ToolRow>(
        tools()
          .where({ project, serverId })
          .select(...columns),
        page,
        'tool'
      ),

    /** All of them; there are few. */
    listAll: (trx: Trx, project: string, serverId: string): Promise<ToolRow[]> =>
      tools(trx)
        .where({ project, serverId })
        .orderBy('id')
        .select(...columns),

    listNamed: (trx: Trx, project: string, serverId: string, names: readonly string[]): Promise<ToolRow[]> =>
      tools(trx)
        .where({ project, serverId })
        .whereIn('name', [...names])
        .select(...columns),

    /** Of the definitions that are known, each with what is wrong with it. */
    async listDigests(project: string, serverId: string): Promise<Map<string, string | null>> {
      const rows = await tools().where({ project, serverId }).select('digest', 'fault')
      return new Map(rows.map(({ digest, fault }) => [digest, fault]))
    },

    /** The next ones of a project, newest first, of all owners. */
    listBefore: (project: string, before: string | undefined, limit: number): Promise<ToolRow[]> => {
      const query = tools()
        .where({ project })
        .orderBy('id', 'desc')
        .limit(limit)
        .select(...columns)
      return before === undefined ? query : query.where('id', '<', before)
    },

    async count(
      project: string,
      serverId: string
    ): Promise<{ tools: number; available: number; pending: number }> {
      const approved = 'digest = "approvedDigest"'
      const row = await knex('mcp.tool')
        .where({ project, serverId, missing: false })
        .first(
          knex.raw('count(*)::int as tools'),
          knex.raw(`count(*) filter (where ${approved} and fault is null)::int as available`),
          knex.raw(`count(*) filter (where (${approved}) is not true)::int as pending`)
        )
      return row
    },

    async insert(trx: Trx, rows: readonly NewTool[]): Promise<void> {
      if (rows.length === 0) return
      await trx('mcp.tool').insert(
        // The column is of a time when a tool had another id here.
        rows.map((row) => ({ ...row, toolId: row.id, definition: JSON.stringify(row.definition) }))
      )
    },

    async update(
      trx: Trx,
      { project, id }: Key,
      changes: Partial<Pick<ToolRow, 'definition' | 'digest' | 'approvedDigest' | 'missing' | 'fault'>>
    ): Promise<ToolRow> {
      const { definition, ...rest } = changes
      const [row] = await trx('mcp.tool')
        .where({ project, id })
        .update({
          ...rest,
          ...(definition && { definition: JSON.stringify(definition) }),
          updatedAt: trx.fn.now()
        })
        .returning(columns)
      return row
    },

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      tools(trx).where({ project }).whereIn('id', ids).delete(),

    removeOfServer: (trx: Trx, project: string, serverId: string): Promise<number> =>
      tools(trx).where({ project, serverId }).delete()
  }
}

/** Whether the principal reaches it as one of its own. */
export const isOwn = (by: Principal, { owner }: Owned): boolean =>
  by.type === 'service' ? !by.initiator || owner === by.initiator || owner === by.id : by.owner === owner
