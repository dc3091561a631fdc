import { Data, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const File = Type.Object(
  {
    id: Type.String({ examples: ['file_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Type.String({ description: 'As it was sent, without paths and control characters' }),
    mediaType: Type.String({ description: 'By its bytes; by its sender only for kinds of text' }),
    size: Type.Integer({ description: 'In bytes' }),
    sha256: Type.String({ description: '64 hexadecimal digits' }),
    createdAt: Time
  },
  { title: 'File' }
)
export type File = Static<typeof File>

const Avatar = Type.Object(
  {
    agentId: Type.String(),
    owner: Type.String(),
    size: Type.Integer({ description: 'In bytes, of the WebP that was made of it' }),
    sha256: Type.String(),
    updatedAt: Time
  },
  { title: 'Avatar' }
)
export type Avatar = Static<typeof Avatar>

const tags = ['files']
const params = Type.Object({ fileId: Type.String() })
const bytes = Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' })
/** For the description alone: what comes is read as it arrives, and is null here. */
const Upload = Type.Unsafe<{ file: string } | null>({
  type: ['object', 'null'],
  properties: { file: { ...bytes, description: 'Once a file; each with its name' } },
  required: ['file']
})

export const uploadFile = {
  tags,
  summary: 'Upload a file',
  description:
    'Takes `multipart/form-data` with one or several files in the field `file`: the reply holds the file, or, of several, a list of them in that order. All of them are stored, or none.',
  consumes: ['multipart/form-data'],
  body: Upload,
  response: {
    201: Data(Type.Union([File, Type.Array(File)])),
    413: Type.Object({}),
    415: Type.Object({})
  }
}
export const readFile = { tags, summary: 'Get a file', params, response: { 200: Data(File) } }

const Bytes = {
  'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }
}
export const readContent = {
  tags,
  summary: 'Get the bytes of a file',
  description:
    'With the content type of the file. `Range` (one range) answers 206 or 416; the ETag is the SHA-256 and answers `If-None-Match` with 304. What a browser would run is a download.',
  params,
  response: {
    200: { content: Bytes },
    206: { content: Bytes, description: 'The range' },
    304: Type.Null({ description: 'Not modified' })
  }
}

const agent = Type.Object({ agentId: Type.String() })
export const uploadAvatar = {
  tags,
  summary: 'Upload an avatar image',
  description:
    'Takes `multipart/form-data` with a PNG, JPEG or WebP in the field `file`. It is kept as a WebP of at most 512 pixels a side, without metadata.',
  consumes: ['multipart/form-data'],
  params: agent,
  body: Upload,
  response: { 201: Data(Avatar), 413: Type.Object({}), 415: Type.Object({}) }
}
export const readAvatar = {
  tags,
  summary: 'Get the avatar image of an agent',
  description:
    '404 with the code `avatar_missing` where the agent has none. The ETag is the SHA-256 and answers `If-None-Match` with 304; `HEAD` tells both without the image.',
  params: agent,
  response: {
    200: { content: { 'image/webp': Bytes['application/octet-stream'] } },
    206: { content: { 'image/webp': Bytes['application/octet-stream'] }, description: 'The range' },
    304: Type.Null({ description: 'Not modified' })
  }
}
