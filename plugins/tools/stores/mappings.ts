import type { Kernel, Trx } from 'agent-platform'
import type { KeyRow, MappingRow } from '../rows.ts'
import type { Use } from '../schemas/keys.ts'

export type MappingStore = ReturnType<typeof createMappingStore>
/** A mapping, with what it takes to place its key. */
export type Placed = Pick<MappingRow, 'keyId' | 'in' | 'name'> & Pick<KeyRow, 'allowedHosts' | 'sealed'>

const columns = ['id', 'project', 'owner', 'keyId', 'toolId', 'in', 'name'] as const

const placedText = `
  select m."keyId", m."in", m.name, k."allowedHosts", k.sealed
  from tools.key_mapping m join tools.tool_key k on k.project = m.project and k.id = m."keyId"
  where m.project = $1 and m."toolId" = $2 and k.owner = m.owner
  order by m.id`

export function createMappingStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const mappings = (on: Kernel['knex'] | Trx = knex) => on('tools.key_mapping')
  const uses = (on: Kernel['knex'] | Trx) =>
    on('tools.key_mapping as m').leftJoin('tools.tool as t', { 't.project': 'm.project', 't.id': 'm.toolId' })

  return {
    find: (id: string): Promise<MappingRow | undefined> =>
      mappings()
        .where({ id })
        .first(...columns),

    /** The keys of one tool, in the order in which they were mapped: one statement. */
    listPlaced: (project: string, toolId: string) =>
      hot.query<Placed>('tools.placed', placedText, [project, toolId]),

    /** What uses a key. */
    listUses: (project: string, keyId: string, on: Kernel['knex'] | Trx = knex): Promise<Use[]> =>
      uses(on)
        .where({ 'm.project': project, 'm.keyId': keyId })
        .orderBy('m.id')
        .select('m.id', 'm.keyId', 'm.toolId', 'm.in', 'm.name', 't.name as toolName') as never,

    async count(trx: Trx, project: string, toolId: string): Promise<number> {
      const [row] = await mappings(trx).where({ project, toolId }).count({ mappings: '*' })
      return Number(row?.mappings)
    },

    /** Undefined when there is a key already at that place. */
    async insert(trx: Trx, row: MappingRow): Promise<MappingRow | undefined> {
      const [inserted] = await mappings(trx)
        .insert(row)
        .onConflict(['project', 'toolId', 'in', 'name'])
        .ignore()
        .returning([...columns])
      return inserted
    },

    remove: (trx: Trx, project: string, id: string): Promise<number> =>
      mappings(trx).where({ project, id }).delete(),

    removeOfKey: (trx: Trx, project: string, keyId: string): Promise<number> =>
      mappings(trx).where({ project, keyId }).delete(),

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      mappings(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete(),

    /** Those of one owner's keys to a tool. */
    removeOfOwner: (trx: Trx, project: string, toolId: string, owner: string): Promise<number> =>
      mappings(trx).where({ project, toolId, owner }).delete()
  }
}
