import { Closed, OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { createDocument, listDocuments, readDocument } from './schemas/documents.ts'
import { search } from './schemas/search.ts'
import { readSpace } from './schemas/spaces.ts'
import type { DocumentService } from './services/documents.ts'
import type { Searches } from './services/searches.ts'
import type { SpaceService } from './services/spaces.ts'

/** UTF-16 code units of a text that an app reads or writes at once: a message has 1 MiB. */
const MAX_CONTENT = 500_000

const narrows = { to: 'spaces', at: '/spaceId' } as const
const id = Type.String({ maxLength: 128 })
const Space = readSpace.response[200].properties.data
const Passage = search.response[200].properties.data.items
const Document = readDocument.response[200].properties.data
const New = createDocument.body
const about = [
  'id',
  'spaceId',
  'title',
  'path',
  'mediaType',
  'size',
  'status',
  'version',
  'updatedAt'
] as const

const SearchParams = Closed({
  spaceId: Type.Optional(
    Type.String({ maxLength: 128, description: 'Default: all. Required if the grant names spaces' })
  ),
  ...search.querystring.properties
})
const ListParams = Closed({
  spaceId: id,
  ...Type.Pick(listDocuments.querystring, ['path', 'tag']).properties,
  ...Paging
})
const ReadParams = Closed({
  spaceId: id,
  documentId: id,
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'Where to begin in the text, in UTF-16 code units' })
  )
})
const WriteParams = Closed({
  spaceId: id,
  documentId: Type.Optional(
    Type.String({ maxLength: 128, description: 'ID of the document to update. Default: a new document' })
  ),
  title: New.properties.title,
  content: Type.String({ maxLength: MAX_CONTENT, description: 'The text, in place of what there was' }),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only where the document has this one' })
  )
})

/** Which spaces there are: of a grant that was narrowed, those that it names. */
export const listCapability = ({ spaceService }: { spaceService: SpaceService }): Capability<Paging> => ({
  title: 'List knowledge spaces',
  description:
    'The knowledge spaces that the caller can read, newest first, in pages, of which some may be empty',
  risk: 'low',
  reaches: 'Reads the names of the knowledge spaces that you can read',
  narrows: { to: 'spaces' },
  params: Closed(Paging),
  result: Page(Type.Pick(Space, ['id', 'name', 'description', 'access'])),
  idempotent: true,
  async call(by, query, { grant: { spaces } }) {
    const { data, nextCursor } = await spaceService.list(by, query)
    return { data: data.filter(({ id }) => !spaces || spaces.includes(id)), nextCursor }
  }
})

export const searchCapability = ({
  searches
}: {
  searches: Searches
}): Capability<Static<typeof SearchParams>> => ({
  title: 'Search knowledge',
  description: 'Passages of documents, by meaning and by words, the best first, in pages',
  risk: 'medium',
  reaches: 'Reads the documents in knowledge spaces that you can read',
  narrows,
  params: SearchParams,
  result: Page(
    Type.Pick(Passage, ['spaceId', 'documentId', 'title', 'path', 'url', 'heading', 'page', 'text', 'score'])
  ),
  idempotent: true,
  call: (by, { spaceId, ...query }) =>
    spaceId === undefined ? searches.search(by, query) : searches.searchSpace(by, spaceId, query)
})

interface Deps {
  documentService: DocumentService
}

export const listDocumentsCapability = ({
  documentService
}: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List documents',
  description: 'The documents of a knowledge space, in pages, without their text',
  risk: 'low',
  reaches: 'Reads the titles of the documents in knowledge spaces that you can read',
  narrows,
  params: ListParams,
  result: Page(Type.Pick(Document, about)),
  idempotent: true,
  call: (by, { spaceId, ...query }) => documentService.list(by, spaceId, query)
})

export const readCapability = ({ documentService }: Deps): Capability<Static<typeof ReadParams>> => ({
  title: 'Read a document',
  description: `A document of a knowledge space, with its text, of a long one ${MAX_CONTENT.toLocaleString('en')} characters at once`,
  risk: 'medium',
  reaches: 'Reads the documents in knowledge spaces that you can read',
  narrows,
  params: ReadParams,
  result: Type.Object({
    ...Type.Pick(Document, [...about, 'content']).properties,
    nextOffset: OrNull(Type.Integer({ description: 'Where it goes on; null at its end' }))
  }),
  idempotent: true,
  async call(by, { spaceId, documentId, offset = 0 }) {
    const document = await documentService.read(by, spaceId, documentId)
    const end = offset + MAX_CONTENT
    const nextOffset = end < document.content.length ? end : null
    return { ...document, content: document.content.slice(offset, end), nextOffset }
  }
})

export const writeCapability = ({ documentService }: Deps): Capability<Static<typeof WriteParams>> => ({
  title: 'Write a document',
  description: 'Makes a Markdown document in a knowledge space, or gives one another title and text',
  risk: 'high',
  reaches: 'Writes documents in knowledge spaces that you can change, which people and agents read',
  narrows,
  params: WriteParams,
  result: Type.Pick(Document, about),
  call: (by, { spaceId, documentId, version, ...text }) =>
    documentId === undefined
      ? documentService.create(by, spaceId, text)
      : documentService.update(by, spaceId, documentId, text, version)
})
