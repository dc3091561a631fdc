import type { Kernel, PageOf, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { KeyRow, MappingRow } from '../rows.ts'
import type { Use } from '../schemas/mappings.ts'
import { mappings } from '../schemas/mappings.ts'

export type MappingStore = ReturnType<typeof createMappingStore>
/** A mapping, with what it takes to inject its key; null where the key is gone. */
export type Injectable = Pick<
  MappingRow,
  'id' | 'owner' | 'keyId' | 'connectionId' | 'scopes' | 'in' | 'name'
> & {
  [K in 'allowedHosts' | 'sealed']: KeyRow[K] | null
}

const injectableText = `
  select m.id, m.owner, m."keyId", m."connectionId", m.scopes, m."in", m.name, k."allowedHosts", k.sealed
  from tools.key_mapping m left join tools.tool_key k
    on k.project = m.project and k.id = m."keyId" and k.owner = m.owner
  where m.project = $1 and m."toolId" = $2
  order by m.id`

export function createMappingStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const rows = (trx: Trx) => trx(mappings.name)
  const uses = (on: Kernel['knex'] | Trx) =>
    on('tools.key_mapping as m').leftJoin('tools.tool as t', { 't.project': 'm.project', 't.id': 'm.toolId' })

  return {
    /** The keys of one tool, in the order in which they were mapped: one statement. */
    listInjectable: (project: string, toolId: string) =>
      hot.query<Injectable>('tools.injectable_credentials', injectableText, [project, toolId]),

    /** What uses a key. */
    listUses: (
      project: string,
      keyId: string,
      on: Kernel['knex'] | Trx = knex
    ): Promise<(Use & { url: string | null })[]> =>
      uses(on)
        .where({ 'm.project': project, 'm.keyId': keyId })
        .orderBy('m.id')
        .select(
          ...mappings.columns.map((column) => `m.${column}`),
          't.name as toolName',
          knex.raw(`t.config ->> 'url' as url`)
        ) as never,

    /** One page, newest first. */
    list(
      {
        project,
        ...of
      }: { project: string } & Partial<Pick<MappingRow, 'owner' | 'toolId' | 'keyId' | 'connectionId'>>,
      page: Paging
    ): Promise<PageOf<Use>> {
      const which = Object.entries({ project, ...of }).filter(([, value]) => value !== undefined)
      const found = uses(knex)
        .where(Object.fromEntries(which.map(([column, value]) => [`m.${column}`, value])))
        .select(...mappings.columns.map((column) => `m.${column}`), 't.name as toolName')
      return paginate(knex.from(found.as('mapping')), page, 'tmap')
    },

    async count(trx: Trx, project: string, toolId: string): Promise<number> {
      const [row] = await rows(trx).where({ project, toolId }).count({ mappings: '*' })
      return Number(row?.mappings)
    },

    /** Undefined when there is a key already at that place. */
    async insert(trx: Trx, row: Omit<MappingRow, 'createdAt'>): Promise<MappingRow | undefined> {
      const [inserted] = await rows(trx)
        .insert({ ...row, scopes: JSON.stringify(row.scopes) })
        .onConflict(['project', 'toolId', 'in', 'name'])
        .ignore()
        .returning([...mappings.columns])
      return inserted
    },

    /** Whose key is gone: another one may take its place. */
    removeOrphan: (
      trx: Trx,
      place: Pick<MappingRow, 'project' | 'toolId' | 'in' | 'name'>
    ): Promise<number> =>
      rows(trx)
        .where(place)
        .whereNotNull('keyId')
        .whereNotExists(
          trx('tools.tool_key as k').whereRaw(
            'k.project = key_mapping.project and k.id = key_mapping."keyId"'
          )
        )
        .delete(),

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      rows(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete(),

    /** Those of one owner's keys to a tool. */
    removeOfOwner: (trx: Trx, project: string, toolId: string, owner: string): Promise<number> =>
      rows(trx).where({ project, toolId, owner }).delete()
  }
}
