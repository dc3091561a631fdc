import { Type } from 'typebox'

export const readPage = {
  tags: ['ui-plugins'],
  summary: 'Get a page of an app, for a sandboxed frame',
  description:
    'The HTML document of `ui://<pluginId>/<page>`, which runs in a frame without an origin and reaches nothing but its host. The ETag is the SHA-256, and answers If-None-Match.',
  params: Type.Object({ pluginId: Type.String(), page: Type.String() }),
  querystring: Type.Object({
    version: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Another version than the one that is enabled, for those who may change the app'
      })
    )
  }),
  response: {
    200: {
      content: { 'text/html': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
    },
    304: Type.Null({ description: 'Not modified' })
  }
}
