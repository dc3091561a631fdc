import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Knex } from 'knex'
import { preferences } from '../addressing/schemas.ts'
import { items } from '../schemas.ts'
import type { ItemRow } from './items.ts'

export type AddressStore = ReturnType<typeof createAddressStore>
type Row = NonNullable<Awaited<ReturnType<typeof preferences.find>>>

export function createAddressStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: ({ project, owner }: Owned, on: Knex | Trx = knex): Promise<Row | undefined> =>
      on(preferences.name)
        .where({ project, owner })
        .first(...preferences.columns),

    /** The preference, which is there from then on; others who change it wait. */
    async lock(trx: Trx, { project, owner }: Owned, id: string): Promise<Row> {
      const row = { project, id, owner, storage: 'object', version: 0 }
      await trx(preferences.name).insert(row).onConflict(['project', 'owner']).ignore()
      return trx(preferences.name)
        .where({ project, owner })
        .forUpdate()
        .first(...preferences.columns)
    },

    /** The oldest item of the owner behind that one that has no CID yet. */
    findUnaddressed: ({ project, owner }: Owned, after: string): Promise<ItemRow | undefined> =>
      knex(items.name)
        .where({ project, owner, cid: null })
        .where('id', '>', after)
        .orderBy('id')
        .first(...items.columns),

    /** It is of no edit. False where it has one, or is gone. */
    async updateCid(trx: Trx, { project, id }: ItemRow, cid: string): Promise<boolean> {
      return (await trx(items.name).where({ project, id }).whereNull('cid').update({ cid })) > 0
    }
  }
}
