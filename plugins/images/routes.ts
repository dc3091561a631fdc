import type { App } from 'agent-platform'
import { closed } from 'agent-platform'
import { generateImages } from './schemas.ts'
import type { ImageService } from './service.ts'

export function imageRoutes(app: App, { imageService }: { imageService: ImageService }) {
  app.post(
    '/agents/:agentId/assets/images',
    {
      schema: generateImages,
      config: { scope: ['agents:write'], failures: ['upstream', 'upstreamTimeout', 'paymentRequired'] }
    },
    async ({ principal, params, body }, reply) => {
      const made = await imageService.generate(principal, params.agentId, body, closed(reply))
      return reply.code(201).send({ data: made })
    }
  )
}
