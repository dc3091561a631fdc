import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, invalid, notFound } from 'agent-platform'
import type { DatasetRow } from '../schemas/datasets.ts'
import { datasets } from '../schemas/datasets.ts'
import type { Item, ItemChanges, ItemQuery, ItemRow, NewItem } from '../schemas/items.ts'
import { items } from '../schemas/items.ts'
import type { EvaluationSettings } from '../settings.ts'
import type { ItemStore, NewItemRow } from '../stores/items.ts'
import { sizeOf } from '../stores/items.ts'
import type { Format } from './item-files.ts'
import { headOf, lineOf, MOST_COLUMNS, readItems } from './item-files.ts'

export type ItemService = ReturnType<typeof createItemService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: EvaluationSettings
  itemStore: ItemStore
}

const PAGE = 100

/** What datasets consist of. */
export function createItemService({ knex, transaction, facts, settings, itemStore }: Deps) {
  const { mostItems, mostCharacters } = settings

  async function add(by: Principal, datasetId: string, given: readonly NewItem[]) {
    const dataset = await datasets.owned(knex, by, datasetId, 'change')
    const all = given.map(({ input, expected = null, metadata = {} }) => ({ input, expected, metadata }))
    const ids = await transaction((trx) => addAll(trx, by, dataset, all))
    return { count: ids.length, ids }
  }

  /** In a transaction that may do more. 409 where the dataset has no room for all of them. */
  async function addAll(trx: Trx, by: Principal, dataset: DatasetRow, all: readonly NewItemRow[]) {
    const { id: datasetId, owner } = await datasets.lock(trx, dataset)
    const { count, characters } = await itemStore.count(trx, dataset)
    refuseTooMany(
      count + all.length,
      all.reduce((sum, item) => sum + sizeOf(item), characters)
    )
    const ids = await itemStore.insertAll(trx, dataset, all)
    await itemStore.updateCount(trx, dataset, count + all.length)
    const data = { datasetId, count: all.length }
    await facts.record(trx, 'evaluations.items_added', by, { subject: datasetId, owner, data })
    return ids
  }

  function refuseTooMany(count: number, characters: number): void {
    if (count > mostItems)
      throw conflict(`A dataset has at most ${mostItems} items`, { code: 'dataset_full' })
    if (characters > mostCharacters)
      throw conflict(`The items of a dataset have at most ${mostCharacters} characters`, {
        code: 'dataset_full'
      })
  }

  async function importFile(by: Principal, datasetId: string, format: Format, bytes: Buffer) {
    const dataset = await datasets.owned(knex, by, datasetId, 'change')
    const all = await readItems(format, bytes, mostItems)
    await transaction((trx) => addAll(trx, by, dataset, all))
    return { count: all.length }
  }

  /** The items as they are then, a part at a time. */
  async function exportFile(by: Principal, datasetId: string, format: Format) {
    const dataset = await datasets.owned(knex, by, datasetId, 'read')
    const names = format === 'csv' ? await namesOf(dataset) : []
    async function* parts(): AsyncGenerator<string> {
      yield headOf(format, names)
      for await (const page of pages(dataset)) yield page.map((item) => lineOf(format, item, names)).join('')
    }
    return parts()
  }

  async function namesOf(dataset: DatasetRow): Promise<readonly string[]> {
    const names = new Set<string>()
    for await (const page of pages(dataset))
      for (const { metadata } of page) for (const name of Object.keys(metadata)) names.add(name)
    if (names.size > MOST_COLUMNS || names.has('input') || names.has('expected'))
      throw invalid('format', 'The metadata of these items fit no table: ask for JSON lines')
    return [...names].sort()
  }

  async function* pages(dataset: DatasetRow): AsyncGenerator<readonly ItemRow[]> {
    for (let after = ''; ; ) {
      const page = await itemStore.listAfter(dataset, after, PAGE)
      if (page.length > 0) yield page
      const last = page.at(-1)
      if (page.length < PAGE || !last) return
      after = last.id
    }
  }

  async function list(by: Principal, datasetId: string, { expected, ...page }: ItemQuery) {
    return itemStore.list(await datasets.owned(knex, by, datasetId, 'read'), page, expected)
  }

  async function find(by: Principal, datasetId: string, id: string, verb: 'read' | 'change') {
    await datasets.owned(knex, by, datasetId, verb)
    const item = (await items.find(knex, id)) as ItemRow | undefined
    if (item?.datasetId !== datasetId) throw notFound('Dataset item')
    return item
  }

  async function update(
    by: Principal,
    datasetId: string,
    id: string,
    changes: ItemChanges,
    version?: number
  ) {
    const found = await find(by, datasetId, id, 'change')
    return transaction(async (trx) => {
      const dataset = await datasets.lock(trx, { project: found.project, id: datasetId })
      const { row, isChanged } = await items.update(trx, found, changes, version)
      if (!isChanged) return shown(row)
      await itemStore.updateSize(trx, row, sizeOf(row))
      const { count, characters } = await itemStore.count(trx, dataset)
      refuseTooMany(count, characters)
      const data = { datasetId, itemId: id }
      await facts.record(trx, 'evaluations.item_updated', by, {
        subject: datasetId,
        owner: row.owner,
        data
      })
      return shown(row)
    })
  }

  async function remove(by: Principal, datasetId: string, id: string, version?: number) {
    const found = await find(by, datasetId, id, 'change')
    const { project, owner } = found
    return transaction(async (trx) => {
      const dataset = await datasets.lock(trx, { project, id: datasetId })
      await items.remove(trx, found, version)
      await itemStore.updateCount(trx, dataset, (await itemStore.count(trx, dataset)).count)
      const data = { datasetId, itemId: id }
      await facts.record(trx, 'evaluations.item_deleted', by, { subject: datasetId, owner, data })
      return { id, deleted: true as const }
    })
  }

  return {
    add,
    addAll,
    importFile,
    exportFile,
    list,
    update,
    remove,
    read: async (by: Principal, datasetId: string, id: string) => shown(await find(by, datasetId, id, 'read'))
  }
}

const shown = (row: object): Item => {
  const { project: _, characters: __, ...item } = row as ItemRow
  return item as Item
}
