import { Type } from 'typebox'

const tags = ['docs']
const Bytes = Type.Unsafe<string | Buffer>({ type: 'string' })
const Html = { 'text/html': { schema: Bytes } }
const Script = { 'text/javascript': { schema: Bytes } }
const OpenApi = {
  'application/json': { schema: Type.Unsafe<Buffer>({ type: 'object', description: 'OpenAPI 3.1' }) }
}

export const readDocument = {
  tags,
  summary: 'Get the OpenAPI document',
  description: 'Made from the packs that are on. Its ETag answers `If-None-Match` with 304.',
  response: { 200: { content: OpenApi }, 304: Type.Null({ description: 'Not modified' }) }
}
export const readPage = {
  tags,
  summary: 'Read the API reference',
  response: { 200: { content: Html } }
}
export const readScript = {
  tags,
  summary: 'Get the script of the API reference',
  params: Type.Object({ file: Type.String({ description: 'Carries the digest of its content' }) }),
  response: { 200: { content: Script } }
}
