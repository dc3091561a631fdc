import { Type } from 'typebox'

const tags = ['code-projects']
const Bytes = { '*/*': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
const response = {
  200: { content: Bytes },
  206: { content: Bytes, description: 'The range' },
  304: Type.Null({ description: 'Not modified' }),
  303: Type.Null({ description: 'It is elsewhere' }),
  410: Type.Object({})
}
const slug = Type.String({
  maxLength: 100,
  description: 'Of a project, or `<slug>~<number>` for one of its publications'
})
/** The page’s own. */
const querystring = Type.Object({}, { additionalProperties: true })

export const readPreview = {
  tags,
  summary: 'Open a preview',
  description:
    'No credential is needed. Leads to `/v1/previews/:slug/`, by which what the page names is found. 404 for what was never published, 410 for what was taken away.',
  params: Type.Object({ slug }),
  querystring,
  response: { 303: response[303], 410: response[410] }
}
export const readPreviewFile = {
  tags,
  summary: 'Get a file of a preview',
  description:
    'By its path; of a folder its `index.html`; in an app of a single page `index.html` for what is no file. `Range` (one range) answers 206 or 416, `If-None-Match` with the ETag 304. What is shown runs in a sandbox: it has an origin of its own, and none of the platform’s cookies.',
  params: Type.Object({ slug, '*': Type.String() }),
  querystring,
  response
}
