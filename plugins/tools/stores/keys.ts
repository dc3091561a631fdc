import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { KeyRow } from '../rows.ts'

export type KeyStore = ReturnType<typeof createKeyStore>
type Sealed = Pick<KeyRow, 'sealed' | 'prefix'>
type NewRow = Owned & Sealed & Pick<KeyRow, 'id' | 'name' | 'description' | 'allowedHosts'>
type Changed = Partial<Pick<KeyRow, 'name' | 'description' | 'allowedHosts'>>

const columns = [
  'id',
  'project',
  'owner',
  'name',
  'description',
  'allowedHosts',
  'prefix',
  'createdAt',
  'rotatedAt',
  'version',
  'sealed'
] as const

export function createKeyStore({ knex }: Pick<Kernel, 'knex'>) {
  const keys = (on: Kernel['knex'] | Trx = knex) => on('tools.tool_key')
  const edited = (trx: Trx) => ({ version: trx.raw('version + 1') })

  return {
    find: (id: string): Promise<KeyRow | undefined> =>
      keys()
        .where({ id })
        .first(...columns),

    /** None for an agent, which has no keys. */
    list: (by: Principal, page: Paging) =>
      paginate<KeyRow>(
        by.type === 'agent' ? keys().whereRaw('false').select('id') : reach(by, keys()).select(...columns),
        page
      ),

    /** As it is now; it stays so until the transaction ends. */
    take: (trx: Trx, project: string, id: string): Promise<KeyRow | undefined> =>
      keys(trx)
        .where({ project, id })
        .forUpdate()
        .first(...columns),

    async insert(trx: Trx, row: NewRow): Promise<KeyRow> {
      const [inserted] = await keys(trx)
        .insert(row)
        .returning([...columns])
      return inserted
    },

    async update(
      trx: Trx,
      { project, id }: { project: string; id: string },
      changes: Changed,
      sealed?: Sealed
    ): Promise<KeyRow | undefined> {
      const rotated = sealed && { ...sealed, rotatedAt: trx.fn.now() }
      const [row] = await keys(trx)
        .where({ project, id })
        .update({ ...changes, ...rotated, ...edited(trx) })
        .returning([...columns])
      return row
    },

    async remove(trx: Trx, project: string, id: string): Promise<KeyRow | undefined> {
      const [removed] = await keys(trx)
        .where({ project, id })
        .delete()
        .returning([...columns])
      return removed
    }
  }
}
