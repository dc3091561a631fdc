import { Changes, Closed, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** Of an input, and of an expected outcome. */
export const MOST_TEXT = 32_000
export const MOST_METADATA = 20
/** Bytes of a file of items. */
export const MOST_FILE = 8_388_608

const noNul = '^[^\\u0000]*$'
const input = Type.String({
  minLength: 1,
  maxLength: MOST_TEXT,
  pattern: noNul,
  description: 'What the agent is asked'
})
const expected = OrNull(
  Type.String({
    maxLength: MOST_TEXT,
    pattern: noNul,
    description: 'What its answer is compared with; null: not known yet'
  })
)
const metadata = Type.Record(Type.String(), Type.String({ maxLength: 1_000, pattern: noNul }), {
  maxProperties: MOST_METADATA,
  propertyNames: Type.String({ minLength: 1, maxLength: 64, pattern: noNul }),
  description: 'Whatever else is known of it; functions of apps that score are told'
})
const Item = Type.Object(
  {
    id: Type.String({ examples: ['item_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    datasetId: Type.String(),
    input,
    expected,
    metadata,
    runId: OrNull(Type.String({ description: 'The run that feedback made it from' })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'DatasetItem' }
)
export const NewItem = Type.Object(
  { input, expected: Type.Optional(expected), metadata: Type.Optional(metadata) },
  { title: 'NewDatasetItem', additionalProperties: false }
)
const NewItems = Type.Object(
  { items: Type.Array(NewItem, { minItems: 1, maxItems: 100 }) },
  {
    title: 'NewDatasetItems',
    additionalProperties: false,
    examples: [{ items: [{ input: 'What is the capital of France?', expected: 'Paris' }] }]
  }
)
const ItemChanges = Changes(Item, ['input', 'expected', 'metadata'])
export const items = table('evaluations.item', Item, { also: ['characters'] as never })

export type Item = Static<typeof Item>
export type ItemRow = NonNullable<Awaited<ReturnType<typeof items.find>>> & { readonly characters: number }
export type NewItem = Static<typeof NewItem>
export type ItemChanges = Static<typeof ItemChanges>

const ItemQuery = Type.Object({
  ...Paging,
  expected: Type.Optional(
    Type.Enum(['known', 'missing'], { description: 'Whether the expected outcome is known' })
  )
})
export type ItemQuery = Static<typeof ItemQuery>

const tags = ['evaluations']
const ofDataset = Type.Object({ datasetId: Type.String() })
const ofItem = Type.Object({ datasetId: Type.String(), itemId: Type.String() })
const Added = Data(
  Closed({ count: Type.Integer({ description: 'How many were added' }), ids: Type.Array(Type.String()) })
)
const text = (description: string) => ({ schema: Type.String({ description }) })

export const addItems = {
  tags,
  summary: 'Add items to a dataset',
  description: 'All of them or none.',
  params: ofDataset,
  body: NewItems,
  response: { 201: Added }
}
export const listItems = {
  tags,
  summary: 'List the items of a dataset',
  params: ofDataset,
  querystring: ItemQuery,
  response: { 200: Page(Item) }
}
export const readItem = {
  tags,
  summary: 'Get an item of a dataset',
  params: ofItem,
  response: { 200: Data(Item) }
}
export const updateItem = {
  tags,
  summary: 'Update an item of a dataset',
  description: 'Experiments that were made before keep what it was.',
  params: ofItem,
  body: ItemChanges,
  response: { 200: Data(Item) }
}
export const deleteItem = {
  tags,
  summary: 'Delete an item of a dataset',
  params: ofItem,
  response: { 200: Deleted }
}
export const importItems = {
  tags,
  summary: 'Import items into a dataset',
  description:
    'A file of up to 8 MiB, all of it or nothing. As CSV its first line names the columns: `input`, `expected` where there is one, and all others are metadata. As JSON lines each is an item as `POST …/items` takes it. A 400 says which line is wrong.',
  params: ofDataset,
  consumes: ['text/csv', 'application/jsonl', 'application/x-ndjson'],
  response: { 201: Data(Closed({ count: Type.Integer() })) }
}
export const exportItems = {
  tags,
  summary: 'Export the items of a dataset',
  description: 'The oldest first, in a form that can be imported.',
  params: ofDataset,
  querystring: Type.Object({ format: Type.Optional(Type.Enum(['jsonl', 'csv'], { default: 'jsonl' })) }),
  response: {
    200: {
      content: {
        'application/jsonl': text('An item a line'),
        'text/csv': text('An item a line, under a line of names (RFC 4180)')
      }
    }
  }
}
