import type { App } from 'agent-platform'
import { closed, ifMatch } from 'agent-platform'
import { deleteItem, listItems, readItem, readPreview, readProvenance, updateItem } from './schemas.ts'
import type { ItemService } from './service.ts'

/** Nothing in it runs or loads, or is shown as a page of the platform's own. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export function itemRoutes(app: App, { itemService }: { itemService: ItemService }) {
  app.get('/library', { schema: listItems }, ({ principal, query }) => itemService.list(principal, query))

  app.get('/library/:itemId', { schema: readItem }, async ({ principal, params }) => {
    return { data: await itemService.read(principal, params.itemId) }
  })

  app.patch('/library/:itemId', { schema: updateItem }, async (request) => {
    const { principal, params, body } = request
    return { data: await itemService.update(principal, params.itemId, body, ifMatch(request)) }
  })

  app.delete('/library/:itemId', { schema: deleteItem }, async (request) => {
    return { data: await itemService.remove(request.principal, request.params.itemId, ifMatch(request)) }
  })

  app.get('/library/:itemId/provenance', { schema: readProvenance }, async ({ principal, params }) => {
    return { data: await itemService.provenance(principal, params.itemId) }
  })

  app.get('/library/:itemId/preview', { schema: readPreview }, async (request, reply) => {
    const { principal, params, headers } = request
    const { body, mediaType, sha256, truncated } = await itemService.preview(
      principal,
      params.itemId,
      closed(reply)
    )
    const etag = `"${sha256}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (headers['if-none-match'] === etag) return reply.code(304).send(null)
    reply.headers({
      'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
      'content-disposition': 'inline',
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      ...(truncated && { 'x-preview-truncated': 'true' })
    })
    return reply.send(body)
  })
}
