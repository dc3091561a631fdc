import type { App, Kernel } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { ApiDocument } from './openapi/document.ts'
import type { ApiPage } from './page/page.ts'
import { readDocument, readPage, readScript } from './schemas.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  apiDocument: ApiDocument
  apiPage: ApiPage
}

const config = { root: true, by: 'public' } as const

export function docsRoutes(app: App, { platform, apiDocument, apiPage }: Deps) {
  if (platform.production) return

  app.get('/openapi.json', { schema: readDocument, config }, async (request, reply) => {
    const { body, etag } = apiDocument.current()
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match']?.split(/, */).includes(etag)) return reply.code(304).send(null)
    return reply.type('application/json; charset=utf-8').send(body)
  })

  app.get('/docs', { schema: readPage, config }, async (_request, reply) => {
    const { html, headers } = await apiPage.render()
    return reply.headers(headers).type('text/html; charset=utf-8').send(html)
  })

  app.get('/docs/assets/:file', { schema: readScript, config }, async ({ params }, reply) => {
    const { file, body } = await apiPage.script()
    if (params.file !== file) throw notFound('File')
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff'
    })
    return reply.type('text/javascript; charset=utf-8').send(body)
  })
}
