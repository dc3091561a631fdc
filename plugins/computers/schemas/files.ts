import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params } from './computers.ts'

const path = Type.String({
  minLength: 1,
  maxLength: 4_096,
  pattern: '^[^\\u0000]*$',
  description: 'Below the home of the computer; an absolute one must lie in it',
  examples: ['site/index.html']
})
const encoding = Type.Enum(['utf8', 'base64'])
const mode = Type.Integer({
  minimum: 0,
  maximum: 0o777,
  description: 'Of the file system, such as 493 for 0755'
})
const entry = {
  type: Type.Enum(['file', 'folder', 'link', 'other']),
  size: Type.Integer({ description: 'Bytes; of a folder: names in it' }),
  mode,
  modifiedAt: Time
}
export const ComputerFile = Type.Object(
  {
    path: Type.String(),
    ...entry,
    encoding: OrNull(encoding),
    content: OrNull(Type.String({ description: 'Of a file' })),
    entries: OrNull(
      Type.Array(Type.Object({ name: Type.String(), ...entry }), { description: 'Of a folder, by name' })
    ),
    offset: Type.Integer(),
    nextOffset: OrNull(Type.Integer({ description: 'Where it goes on; null at the end' }))
  },
  { title: 'ComputerFile' }
)
export const WriteFiles = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          path,
          content: Type.String({ maxLength: 16_777_216 }),
          encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { default: 'utf8' })),
          mode: Type.Optional(mode)
        },
        { additionalProperties: false }
      ),
      { minItems: 1, maxItems: 1_000 }
    )
  },
  {
    title: 'WriteFiles',
    additionalProperties: false,
    examples: [{ files: [{ path: 'site/index.html', content: '<h1>Hello</h1>' }] }]
  }
)
export const ReadQuery = Type.Object({
  path: Type.Optional(Type.String({ ...path, default: '.' })),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Bytes of a file, or names of a folder, to leave out'
    })
  ),
  length: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4_194_304,
      description: 'Bytes (default 262,144) or names (1,000, at most 1,000)'
    })
  ),
  encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { description: 'Default: as text where it is some' }))
})
export type ComputerFile = Static<typeof ComputerFile>
export type WriteFiles = Static<typeof WriteFiles>
export type ReadQuery = Static<typeof ReadQuery>

const tags = ['computers']
export const readFile = {
  tags,
  summary: 'Read a file, or list a folder',
  description:
    'A part of it, from `offset`. Links are followed within the home: 400 `outside_home` for what leads out of it. What is read was written by programs of others, and is to be trusted by no one.',
  params,
  querystring: ReadQuery,
  response: { 200: Data(ComputerFile), 409: {}, 503: {} }
}
export const writeFiles = {
  tags,
  summary: 'Write files',
  description:
    'Each is there whole, or as it was before: of several, those before one that fails are written. Folders are made, and a link is replaced. 507 `storage_exceeded` where the disk of the computer has no room.',
  params,
  body: WriteFiles,
  response: {
    200: Data(
      Type.Object({
        files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), mode }))
      })
    ),
    409: {},
    503: {},
    507: {}
  }
}
