import { Closed, Page, tooLarge } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { ItemQuery, ShownItem } from './schemas.ts'
import type { ItemService } from './service.ts'

interface Deps {
  itemService: ItemService
}

/** Of bytes that pass to apps at once. */
const MAX_BYTES = 524_288

const Item = Type.Pick(ShownItem, [
  'id',
  'name',
  'description',
  'mediaType',
  'size',
  'favourite',
  'access',
  'version',
  'createdAt',
  'updatedAt'
])
const ListParams = Closed(ItemQuery.properties)
const ItemParams = Closed({ itemId: Type.String({ maxLength: 128 }) })

export const listCapability = ({ itemService }: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List the library',
  description: 'Names and kinds of the files in the library, newest first, in pages',
  risk: 'low',
  reaches: 'Reads the names of the files in your library, and of those that others share with you',
  params: ListParams,
  result: Page(Item),
  idempotent: true,
  call: (by, query) => itemService.list(by, query)
})

export const readCapability = ({ itemService }: Deps): Capability<Static<typeof ItemParams>> => ({
  title: 'Read a library item',
  description: 'Name, kind and description of a file in the library',
  risk: 'low',
  reaches: 'Reads the names of the files in your library, and of those that others share with you',
  params: ItemParams,
  result: Item,
  idempotent: true,
  call: (by, { itemId }) => itemService.read(by, itemId)
})

export const previewCapability = ({ itemService }: Deps): Capability<Static<typeof ItemParams>> => ({
  title: 'Preview a library item',
  description: `What is shown of a file: \`text\` (also HTML), or \`base64\` of an image; 413 beyond ${MAX_BYTES.toLocaleString('en')} bytes`,
  risk: 'high',
  reaches: 'Reads the files in your library, and those that others share with you',
  params: ItemParams,
  result: Type.Object({
    mediaType: Type.String(),
    truncated: Type.Boolean({ description: 'It is only a part' }),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String())
  }),
  idempotent: true,
  async call(by, { itemId }, { signal }) {
    const { body, mediaType, truncated } = await itemService.preview(by, itemId, signal)
    if (body.length > MAX_BYTES) throw tooLarge(`The preview has more than ${MAX_BYTES} bytes`)
    const isText = mediaType.startsWith('text/')
    return {
      mediaType,
      truncated,
      ...(isText ? { text: body.toString() } : { base64: body.toString('base64') })
    }
  }
})
