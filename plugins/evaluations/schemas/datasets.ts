import { Changes, Closed, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const description = OrNull(
  Type.String({ maxLength: 5_000, pattern: '^[^\\u0000]*$', description: 'What it is for' })
)
export const Dataset = Type.Object(
  {
    id: Type.String({ examples: ['dataset_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description,
    itemCount: Type.Integer({ description: 'Items that it has' }),
    version: Type.Integer({ description: 'Counts edits of name and description; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Dataset' }
)
const NewDataset = Closed({ name: Name(), description: Type.Optional(description) })
const DatasetChanges = Changes(Dataset, ['name', 'description'])
export const datasets = table('evaluations.dataset', Dataset, { searched: ['name', 'description'] })

export type Dataset = Static<typeof Dataset>
export type DatasetRow = NonNullable<Awaited<ReturnType<typeof datasets.find>>>
export type NewDataset = Static<typeof NewDataset>
export type DatasetChanges = Static<typeof DatasetChanges>

const tags = ['evaluations']
const params = Type.Object({ datasetId: Type.String() })

export const createDataset = {
  tags,
  summary: 'Create a dataset',
  body: { ...NewDataset, title: 'NewDataset', examples: [{ name: 'Questions about refunds' }] },
  response: { 201: Data(Dataset) }
}
export const listDatasets = {
  tags,
  summary: 'List datasets',
  querystring: Type.Object(Searching),
  response: { 200: Page(Dataset) }
}
export const readDataset = { tags, summary: 'Get a dataset', params, response: { 200: Data(Dataset) } }
export const updateDataset = {
  tags,
  summary: 'Update a dataset',
  params,
  body: DatasetChanges,
  response: { 200: Data(Dataset) }
}
export const deleteDataset = {
  tags,
  summary: 'Delete a dataset',
  description:
    'Its items and its experiments go with it. 409 `experiment_running` while one of these is under way.',
  params,
  response: { 200: Deleted }
}
