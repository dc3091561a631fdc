import { Changes, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { FileName } from './folders.ts'
import { SpaceParams } from './spaces.ts'

/** Characters of a text: as much as fits into a body, and into a file that is imported. */
export const MAX_TEXT = 4_194_304

export const mediaType = Type.Enum([
  'text/markdown',
  'text/plain',
  'text/html',
  'text/csv',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
])
const summary = Type.Object(
  {
    id: Type.String({ examples: ['document_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The space’s' }),
    spaceId: Type.String(),
    folderId: OrNull(Type.String({ description: 'Null: the top of the space' })),
    name: FileName,
    title: Name(),
    path: Type.String({ examples: ['guides/setup.md'] }),
    mediaType,
    fileId: OrNull(Type.String({ description: 'The uploaded file whose text this is' })),
    hash: Type.String({ description: 'SHA-256 of the text, in hexadecimal' }),
    size: Type.Integer({ description: 'Bytes of the text as UTF-8' }),
    tags: Type.Array(Type.String(), { description: 'Of its front matter and of its text' }),
    status: Type.Enum(['ready', 'processing', 'failed'], {
      description: '`ready`: all of this version can be searched'
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent of it that can be searched' }),
    error: OrNull(Type.Object({ message: Type.String(), code: Type.String() })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'KnowledgeDocumentSummary' }
)
export const documents = table('knowledge.document', summary, { what: 'Document', arrays: ['tags'] })

const content = Type.String({ maxLength: MAX_TEXT, description: 'The text' })
const Document = Type.Object({ ...summary.properties, content }, { title: 'KnowledgeDocument' })
const NewDocument = Type.Object(
  {
    title: Name(),
    content,
    name: Type.Optional({ ...FileName, description: 'Its file name; left out: made from the title' }),
    folderId: Type.Optional(summary.properties.folderId),
    mediaType: Type.Optional({
      ...summary.properties.mediaType,
      default: 'text/markdown',
      description: '`text/markdown` or `text/plain`; files of other formats are imported'
    })
  },
  { title: 'NewKnowledgeDocument' }
)
const DocumentChanges = Changes(Document, ['title', 'name', 'folderId', 'content'])
const DocumentQuery = Type.Object({
  ...Paging,
  folderId: Type.Optional(
    Type.String({ description: 'Only what is right in this folder; `root`: at the top' })
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4_000, description: 'Only the one at this path' })
  ),
  status: Type.Optional(summary.properties.status)
})
export type DocumentSummary = Static<typeof summary>
export type StoredDocument = DocumentSummary & { readonly project: string }
export type Document = Static<typeof Document>
export type NewDocument = Static<typeof NewDocument>
export type DocumentChanges = Static<typeof DocumentChanges>
export type DocumentQuery = Static<typeof DocumentQuery>
export type MediaType = DocumentSummary['mediaType']

const tags = ['knowledge']
const params = Type.Object({ spaceId: Type.String(), documentId: Type.String() })

export const listDocuments = {
  tags,
  summary: 'List the documents of a space, without their text',
  params: SpaceParams,
  querystring: DocumentQuery,
  response: { 200: Page(summary) }
}
export const createDocument = {
  tags,
  summary: 'Create a document',
  params: SpaceParams,
  body: NewDocument,
  response: { 201: Data(Document) }
}
export const readDocument = {
  tags,
  summary: 'Get a document with its text',
  description: 'One that was deleted is a 404 with the code `document_deleted`.',
  params,
  querystring: Type.Object({
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'As it was then; default: as it is' })
    )
  }),
  response: { 200: Data(Document) }
}
export const updateDocument = {
  tags,
  summary: 'Update, rename or move a document',
  params,
  body: DocumentChanges,
  response: { 200: Data(Document) }
}
export const deleteDocument = {
  tags,
  summary: 'Delete a document with all its versions',
  params,
  response: { 200: Deleted }
}
