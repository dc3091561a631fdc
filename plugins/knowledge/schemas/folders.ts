import { Changes, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { SpaceParams } from './spaces.ts'

const fileName =
  '^(?!\\s)(?!\\.{1,2}$)(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]*(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\])$'
/** A segment of a path: on one line, without slashes, neither `.` nor `..`. */
export const FileName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: fileName
})

const fileNamePattern = new RegExp(fileName, 'u')
export const isFileName = (name: string): boolean => name.length <= 200 && fileNamePattern.test(name)

const Folder = Type.Object(
  {
    id: Type.String({ examples: ['folder_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The space’s' }),
    spaceId: Type.String(),
    parentId: OrNull(Type.String({ description: 'Null: the top of the space' })),
    name: FileName,
    path: Type.String({ examples: ['guides/setup'] }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'KnowledgeFolder' }
)
export const folders = table('knowledge.folder', Folder, { what: 'Folder' })
const NewFolder = Type.Object(
  { name: FileName, parentId: Type.Optional(Folder.properties.parentId) },
  { title: 'NewKnowledgeFolder' }
)
const FolderChanges = Changes(Folder, ['name', 'parentId'])
const FolderQuery = Type.Object({
  ...Paging,
  parentId: Type.Optional(
    Type.String({ description: 'Only what is right in this folder; `root`: at the top' })
  )
})
export type Folder = Static<typeof Folder>
export type NewFolder = Static<typeof NewFolder>
export type FolderChanges = Static<typeof FolderChanges>
export type FolderQuery = Static<typeof FolderQuery>

const tags = ['knowledge']
const params = Type.Object({ spaceId: Type.String(), folderId: Type.String() })

export const listFolders = {
  tags,
  summary: 'List the folders of a space',
  params: SpaceParams,
  querystring: FolderQuery,
  response: { 200: Page(Folder) }
}
export const createFolder = {
  tags,
  summary: 'Create a folder',
  params: SpaceParams,
  body: NewFolder,
  response: { 201: Data(Folder) }
}
export const updateFolder = {
  tags,
  summary: 'Rename or move a folder',
  params,
  body: FolderChanges,
  response: { 200: Data(Folder) }
}
export const deleteFolder = {
  tags,
  summary: 'Delete a folder with all that is in it',
  params,
  response: { 200: Deleted }
}
