import { Changes, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { grants } from './granting/schemas.ts'

const Origin = Type.Object(
  {
    type: Type.Enum(['upload', 'run', 'tool', 'code'], { description: 'What it came from' }),
    id: Type.String({ description: 'Of the call or run that made it; of the file where that was uploaded' })
  },
  { title: 'LibraryOrigin' }
)
export const Item = Type.Object(
  {
    id: Type.String({ examples: ['item_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name({ maxLength: 255 }),
    description: OrNull(Type.String({ maxLength: 5_000 })),
    mediaType: Type.String({ description: 'By its bytes' }),
    size: Type.Integer({ description: 'In bytes' }),
    favourite: Type.Boolean(),
    origin: Origin,
    cid: OrNull(
      Type.String({ description: 'Where its owner prefers content-addressed storage, once it is made' })
    ),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'LibraryItem' }
)
export const ShownItem = Type.Object(
  {
    ...Item.properties,
    access: Type.Enum([...grants.levels], { description: 'What the caller may do with it' })
  },
  { title: 'LibraryItem' }
)
export const ItemChanges = Changes(ShownItem, ['name', 'description', 'favourite'])
export const ItemQuery = Type.Object({
  ...Paging,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only those with it in their name or description'
    })
  ),
  mediaType: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only those of this media type; `image/*` for all that begin so'
    })
  ),
  favourite: Type.Optional(Type.Boolean()),
  origin: Type.Optional(Origin.properties.type),
  granted: Type.Optional(
    Type.Boolean({ description: 'Only those that the caller has by a grant, or only its own' })
  )
})
export const Step = Type.Object(
  {
    type: Type.String({
      description: '`file`, then what it came from',
      examples: ['file', 'run', 'session']
    }),
    id: Type.String(),
    actor: OrNull(Type.String({ description: 'The principal that stored the file' })),
    at: OrNull(Time),
    sha256: OrNull(Type.String({ description: 'Of the bytes of the file' }))
  },
  { title: 'ProvenanceStep' }
)

export type Item = Static<typeof Item>
export type ShownItem = Static<typeof ShownItem>
export type ItemChanges = Static<typeof ItemChanges>
export type ItemQuery = Static<typeof ItemQuery>
export type Step = Static<typeof Step>

/** A preview that lies in the storage. */
export interface KeptPreview {
  readonly sha256: string
  readonly mediaType: string
  readonly truncated: boolean
}

/** What is kept of an item beside what is shown. */
interface Kept {
  readonly agentId: string | null
  readonly fileId: string
  readonly sha256: string
  readonly actor: string
  readonly chain: readonly { readonly type: string; readonly id: string }[]
  readonly preview: KeptPreview | null
}
export const items = table<typeof Item, Kept>('library.item', Item, {
  what: 'Library item',
  also: ['agentId', 'fileId', 'sha256', 'actor', 'chain', 'preview']
})

const tags = ['library']
const params = Type.Object({ itemId: Type.String() })
const one = { 200: Data(ShownItem) }
const bytes = { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }

export const listItems = {
  tags,
  summary: 'List library items',
  description: 'Those that the caller owns, and those that it was granted.',
  querystring: ItemQuery,
  response: { 200: Page(ShownItem) }
}
export const readItem = { tags, summary: 'Get an item', params, response: one }
export const updateItem = {
  tags,
  summary: 'Rename, describe, favourite',
  params,
  body: ItemChanges,
  response: one
}
export const deleteItem = {
  tags,
  summary: 'Delete an item',
  description: 'Together with its file.',
  params,
  response: { 200: Deleted }
}
export const readPreview = {
  tags,
  summary: 'Preview representation',
  description:
    'Text; sanitised HTML of Markdown, HTML, CSV and DOCX; a WebP of an image; a PNG of the first page of a PDF. `x-preview-truncated: true` where it is only a part. 415 for what has no preview.',
  params,
  response: {
    200: { content: { 'text/plain': bytes, 'text/html': bytes, 'image/png': bytes, 'image/webp': bytes } },
    304: Type.Null({ description: 'Not modified' }),
    413: Type.Object({}),
    415: Type.Object({})
  }
}
export const readProvenance = {
  tags,
  summary: 'Origin of the item',
  params,
  response: {
    200: Data(
      Type.Object(
        {
          itemId: Type.String(),
          origin: Origin,
          chain: Type.Array(Step, { description: 'The latest first' })
        },
        { title: 'Provenance' }
      )
    )
  }
}
