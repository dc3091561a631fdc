import type { App, Kernel } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  addReaction,
  deleteMessage,
  editMessage,
  listMessages,
  listVersions,
  postMessage,
  readAttachment,
  removeReaction
} from '../schemas/messages.ts'
import type { MessageService } from '../services/messages.ts'

interface Deps extends Pick<Kernel, 'detach'> {
  messageService: MessageService
}

/** Nothing in it runs, loads or is shown within a page. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Agents answer what a token writes with what that leaves. */
const config = { tokens: 'whole' } as const

export function messageRoutes(app: App, { messageService, detach }: Deps) {
  app.get('/spaces/:spaceId/messages', { schema: listMessages, config }, ({ principal, params, query }) =>
    messageService.list(principal, params.spaceId, query)
  )

  app.post('/spaces/:spaceId/messages', { schema: postMessage, config }, async (request, reply) => {
    const { principal, params, body, headers } = request
    const isAlone = headers['idempotency-key'] !== undefined
    const data = await messageService.post(principal, params.spaceId, body, { isAlone })
    return reply.code(201).send({ data })
  })

  app.put('/spaces/:spaceId/messages/:messageId', { schema: editMessage, config }, async (request) => {
    const { principal, params, body } = request
    const { spaceId, messageId } = params
    return { data: await messageService.edit(principal, spaceId, messageId, body, ifMatch(request)) }
  })

  app.delete('/spaces/:spaceId/messages/:messageId', { schema: deleteMessage, config }, async (request) => {
    const { spaceId, messageId } = request.params
    return { data: await messageService.remove(request.principal, spaceId, messageId, ifMatch(request)) }
  })

  app.get(
    '/spaces/:spaceId/messages/:messageId/versions',
    { schema: listVersions, config },
    ({ principal, params, query }) =>
      messageService.versions(principal, params.spaceId, params.messageId, query)
  )

  app.put(
    '/spaces/:spaceId/messages/:messageId/reactions/:emoji',
    { schema: addReaction, config },
    async ({ principal, params: { spaceId, messageId, emoji } }) => ({
      data: await messageService.addReaction(principal, spaceId, messageId, emoji)
    })
  )

  app.delete(
    '/spaces/:spaceId/messages/:messageId/reactions/:emoji',
    { schema: removeReaction, config },
    async ({ principal, params: { spaceId, messageId, emoji } }) => ({
      data: await messageService.removeReaction(principal, spaceId, messageId, emoji)
    })
  )

  app.get(
    '/spaces/:spaceId/messages/:messageId/attachments/:fileId',
    { schema: readAttachment, config },
    async (request, reply) => {
      const { spaceId, messageId, fileId } = request.params
      const { file, stream } = await messageService.attachment(request.principal, spaceId, messageId, fileId)
      detach(request as never, () => stream.destroy())
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': file.size,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': POLICY,
        'cache-control': 'private, no-cache'
      })
      return reply.send(stream as never)
    }
  )
}
