import { Readable } from 'node:stream'
import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createDataset,
  deleteDataset,
  listDatasets,
  readDataset,
  updateDataset
} from '../schemas/datasets.ts'
import {
  addItems,
  deleteItem,
  exportItems,
  importItems,
  listItems,
  MOST_FILE,
  readItem,
  updateItem
} from '../schemas/items.ts'
import type { DatasetService } from '../services/datasets.ts'
import { formatOf } from '../services/item-files.ts'
import type { ItemService } from '../services/items.ts'

interface Deps {
  datasetService: DatasetService
  itemService: ItemService
}

/** An agent has no say in what it is measured by. */
const config = { principals: ['user', 'service'] } as const
const path = '/evaluations/datasets'
const one = `${path}/:datasetId` as const
const item = `${one}/items/:itemId` as const

export function datasetRoutes(app: App, { datasetService, itemService }: Deps) {
  app.post(path, { schema: createDataset, config }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await datasetService.create(principal, body) })
  })
  app.get(path, { schema: listDatasets, config }, ({ principal, query }) =>
    datasetService.list(principal, query)
  )
  app.get(one, { schema: readDataset, config }, async ({ principal, params }) => {
    return { data: await datasetService.read(principal, params.datasetId) }
  })
  app.patch(one, { schema: updateDataset, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await datasetService.update(principal, params.datasetId, body, ifMatch(request)) }
  })
  app.delete(one, { schema: deleteDataset, config }, async (request) => {
    const { principal, params } = request
    return { data: await datasetService.remove(principal, params.datasetId, ifMatch(request)) }
  })

  app.post(`${one}/items`, { schema: addItems, config }, async ({ principal, params, body }, reply) => {
    return reply.code(201).send({ data: await itemService.add(principal, params.datasetId, body.items) })
  })
  app.get(`${one}/items`, { schema: listItems, config }, ({ principal, params, query }) =>
    itemService.list(principal, params.datasetId, query)
  )
  app.post(
    `${one}/items/import`,
    { schema: importItems, config: { ...config, body: 'raw', bodyLimit: MOST_FILE } },
    async (request, reply) => {
      const { principal, params, headers } = request
      const format = formatOf(headers['content-type'])
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const data = await itemService.importFile(principal, params.datasetId, format, bytes)
      return reply.code(201).send({ data })
    }
  )
  app.get(`${one}/items/export`, { schema: exportItems, config }, async (request, reply) => {
    const { principal, params, query } = request
    const format = query.format ?? 'jsonl'
    const parts = await itemService.exportFile(principal, params.datasetId, format)
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl')
      .header('content-disposition', `attachment; filename="${params.datasetId}.${format}"`)
      .send(Readable.from(parts) as never)
  })
  app.get(item, { schema: readItem, config }, async ({ principal, params }) => {
    return { data: await itemService.read(principal, params.datasetId, params.itemId) }
  })
  app.patch(item, { schema: updateItem, config }, async (request) => {
    const { principal, params, body } = request
    return {
      data: await itemService.update(principal, params.datasetId, params.itemId, body, ifMatch(request))
    }
  })
  app.delete(item, { schema: deleteItem, config }, async (request) => {
    const { principal, params } = request
    return { data: await itemService.remove(principal, params.datasetId, params.itemId, ifMatch(request)) }
  })
}
