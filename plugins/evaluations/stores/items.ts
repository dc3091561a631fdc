import type { Kernel, Owned, Paging, Trx } from 'agent-platform'
import { lockName, newId, paginate } from 'agent-platform'
import { datasets } from '../schemas/datasets.ts'
import type { Item, ItemRow, NewItem } from '../schemas/items.ts'
import { items } from '../schemas/items.ts'

export type ItemStore = ReturnType<typeof createItemStore>
export interface NewItemRow extends Required<NewItem> {
  readonly runId?: string
}
interface Of {
  readonly project: string
  readonly id: string
}

const BATCH = 500

export const sizeOf = ({ input, expected, metadata }: Required<NewItem>): number =>
  input.length + (expected?.length ?? 0) + JSON.stringify(metadata).length

export function createItemStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Of one owner, whose others wait until the transaction ends. */
    async countDatasets(trx: Trx, { project, owner }: Owned): Promise<number> {
      await lockName(trx, datasets.name, project, owner)
      const [found] = await trx(datasets.name).where({ project, owner }).count('id as count')
      return Number((found as { count: string }).count)
    },

    list: (of: Of, page: Paging, expected: 'known' | 'missing' | undefined) => {
      const query = knex(items.name).where({ project: of.project, datasetId: of.id })
      if (expected === 'known') query.whereNotNull('expected')
      if (expected === 'missing') query.whereNull('expected')
      const shown = items.columns.filter((column) => column !== 'project' && column !== 'characters')
      return paginate<Item>(query.select(...shown), page, 'item')
    },

    /** The oldest first, those behind that one. */
    listAfter: (of: Of, after: string, limit: number): Promise<ItemRow[]> =>
      knex(items.name)
        .where({ project: of.project, datasetId: of.id })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .select(...items.columns),

    listIds: (trx: Trx, of: Of): Promise<string[]> =>
      trx(items.name).where({ project: of.project, datasetId: of.id }).orderBy('id').pluck('id'),

    findOfRun: (trx: Trx, of: Of, runId: string): Promise<ItemRow | undefined> =>
      trx(items.name)
        .where({ project: of.project, datasetId: of.id, runId })
        .first(...items.columns),

    async count(trx: Trx, of: Of): Promise<{ count: number; characters: number }> {
      const [found] = await trx(items.name)
        .where({ project: of.project, datasetId: of.id })
        .select(trx.raw('count(*)::int as count, coalesce(sum(characters), 0)::float8 as characters'))
      return found
    },

    /** Their ids, in their order. */
    async insertAll(trx: Trx, { project, owner, id }: Of & Owned, all: readonly NewItemRow[]) {
      const rows = all.map((item) => ({
        ...{ project, owner, datasetId: id, id: newId('item'), characters: sizeOf(item) },
        ...item,
        metadata: JSON.stringify(item.metadata)
      }))
      for (let from = 0; from < rows.length; from += BATCH)
        await trx(items.name).insert(rows.slice(from, from + BATCH))
      return rows.map((row) => row.id)
    },

    updateSize: async (trx: Trx, { project, id }: Of, characters: number): Promise<void> => {
      await trx(items.name).where({ project, id }).update({ characters })
    },

    /** Of a dataset that is locked; no edit of it. */
    updateCount: async (trx: Trx, { project, id }: Of, itemCount: number): Promise<void> => {
      await trx(datasets.name).where({ project, id }).update({ itemCount })
    }
  }
}
