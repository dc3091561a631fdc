import type { App, Reply } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Application } from '../application.ts'
import { encodingOf } from '../application.ts'
import { readAsset, readDeepPage, readPage } from '../schemas.ts'

/** A page is a dozen of files, and an address may be that of a whole office. */
const config = { root: true, by: 'public', limit: 'none' } as const

export function pageRoutes(app: App, { application }: { application: Application }) {
  async function show(reply: Reply) {
    const { status, html, headers } = await application.page()
    return reply.code(status).headers(headers).send(html)
  }

  app.get('/console', { schema: readPage, config }, (_request, reply) => show(reply))

  app.get('/console/*', { schema: readDeepPage, config }, ({ params }, reply) => {
    if (params['*'].startsWith('assets/')) throw notFound('File')
    return show(reply)
  })

  app.get('/console/assets/:file', { schema: readAsset, config }, async ({ params, headers }, reply) => {
    const asset = await application.asset(params.file)
    if (!asset) throw notFound('File')
    const encoding = encodingOf(asset, headers['accept-encoding'])
    reply.headers({
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding'
    })
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send((encoding && asset.compressed[encoding]) ?? asset.body)
  })
}
