import type { Kernel, Owned, Paging, Trx } from 'agent-platform'
import { canonicalJson, newId, paginate } from 'agent-platform'

export type ResourcePromptStore = ReturnType<typeof createResourcePromptStore>

/** A resource, a template of them or a prompt, as its server defines it. */
export interface Reading extends Owned {
  readonly id: string
  readonly serverId: string
  /** Of a resource. */
  readonly uri?: string
  /** Of a prompt. */
  readonly name?: string
  readonly definition: Readonly<Record<string, unknown>>
  readonly createdAt: string
}
/** One that was found, with what it is known by: its address or its name. */
export interface Found {
  readonly key: string
  readonly definition: Readonly<Record<string, unknown>>
}

const tables = {
  resource: { table: 'mcp.resource', key: 'uri', prefix: 'mcpres' },
  prompt: { table: 'mcp.prompt', key: 'name', prefix: 'mcpprompt' }
} as const
type Kind = keyof typeof tables

export function createResourcePromptStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    list: (kind: Kind, project: string, serverId: string, page: Paging) =>
      paginate<Reading>(
        knex(tables[kind].table)
          .where({ project, serverId })
          .select('project', 'id', 'owner', 'serverId', tables[kind].key, 'definition', 'createdAt'),
        page,
        tables[kind].prefix
      ),

    find: (kind: Kind, project: string, serverId: string, key: string): Promise<{ id: string } | undefined> =>
      knex(tables[kind].table)
        .where({ project, serverId, [tables[kind].key]: key })
        .first('id'),

    /** From now on these are what is there; what stays as it was keeps its id. */
    async replace(
      trx: Trx,
      kind: Kind,
      { project, owner, serverId }: Omit<Reading, 'id' | 'definition' | 'createdAt'>,
      found: readonly Found[]
    ): Promise<void> {
      const { table, key, prefix } = tables[kind]
      const rows = await trx(table).where({ project, serverId }).select('id', key, 'definition')
      const known = new Map(
        rows.map((row) => [`${row[key]} ${canonicalJson(row.definition)}`, row.id as string])
      )
      const stays = new Set<string>()
      const added: object[] = []
      for (const { key: value, definition } of found) {
        const id = known.get(`${value} ${canonicalJson(definition)}`)
        if (id !== undefined) stays.add(id)
        else
          added.push({
            project,
            id: newId(prefix),
            owner,
            serverId,
            [key]: value,
            definition: JSON.stringify(definition)
          })
      }
      const gone = rows.flatMap(({ id }) => (stays.has(id) ? [] : [id]))
      if (gone.length > 0) await trx(table).where({ project }).whereIn('id', gone).delete()
      if (added.length > 0) await trx.batchInsert(table, added, 200)
    },

    async removeOfServer(trx: Trx, project: string, serverId: string): Promise<void> {
      for (const { table } of Object.values(tables)) await trx(table).where({ project, serverId }).delete()
    }
  }
}
