import type { App, Kernel } from 'agent-platform'
import { readAvatar, uploadAvatar } from '../schemas.ts'
import type { Avatars } from '../services/avatars.ts'
import type { FileService } from '../services/files.ts'
import { sendContent } from './content.ts'
import { filesOf } from './multipart.ts'

interface Deps extends Pick<Kernel, 'detach'> {
  fileService: FileService
  avatars: Avatars
}

export function avatarRoutes(app: App, { fileService, avatars, detach }: Deps) {
  // A repetition makes the same picture of the same bytes.
  const config = { body: 'stream', repeats: 'own', scope: ['agents:write'] } as const
  app.post('/agents/:agentId/avatar', { schema: uploadAvatar, config }, async (request, reply) => {
    const { principal, params } = request
    const data = await avatars.replace(principal, params.agentId, filesOf(request, 1))
    return reply.code(201).send({ data })
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/agents/:agentId/avatar',
    schema: readAvatar,
    config: { scope: ['agents:read'] },
    async handler(request, reply) {
      const avatar = await avatars.find(request.principal, (request.params as { agentId: string }).agentId)
      return sendContent(request, reply, avatar, { fileService, detach })
    }
  })
}
