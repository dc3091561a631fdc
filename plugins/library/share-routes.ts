import type { App, Kernel } from 'agent-platform'
import type { Downloads } from './downloads.ts'
import {
  createShareLink,
  listShareLinks,
  readShared,
  revokeShareLink,
  signDownload
} from './share-schemas.ts'
import type { Sharing } from './sharing.ts'

interface Deps extends Pick<Kernel, 'detach'> {
  sharing: Sharing
  downloads: Downloads
}

export function shareRoutes(app: App, { sharing, downloads, detach }: Deps) {
  const sensitive = { limit: 'sensitive', secret: ['token', 'url'] } as const
  app.post(
    '/library/:itemId/share-links',
    { schema: createShareLink, config: sensitive },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await sharing.create(principal, params.itemId, body) })
    }
  )

  app.get('/library/:itemId/share-links', { schema: listShareLinks }, async ({ principal, params, query }) =>
    sharing.list(principal, params.itemId, query)
  )

  app.delete(
    '/library/:itemId/share-links/:shareId',
    { schema: revokeShareLink },
    async ({ principal, params }) => {
      return { data: await sharing.revoke(principal, params.itemId, params.shareId) }
    }
  )

  app.get('/library/:itemId/download', { schema: signDownload }, async ({ principal, params }) => {
    return { data: await downloads.sign(principal, params.itemId) }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/shared/artifacts/:token',
    schema: readShared,
    config: { by: 'public' },
    async handler(request, reply) {
      const { method, headers } = request
      const { token } = request.params as { token: string }
      const password = headers['x-share-password']?.toString()
      // A preview of the link asks what it leads to, which is no download.
      const isLook = method === 'HEAD'
      const asked = headers['if-range'] === undefined && !isLook ? headers.range : undefined
      const { name, size, range, stream } = await sharing.resolve(token, password, isLook ? null : asked)
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
      reply.headers({
        'content-type': 'application/octet-stream',
        'accept-ranges': 'bytes',
        'content-length': range ? range.end - range.start + 1 : size,
        'content-disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox"
      })
      if (!stream) return reply.send(null as never)
      // A long download ends with the pack, not with the generation that began it.
      detach(request, () => stream.destroy())
      return reply.send(stream as never)
    }
  })
}

/** Of a name, as RFC 8187 has it in headers. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
