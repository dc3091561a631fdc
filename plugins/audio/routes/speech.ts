import type { App } from 'agent-platform'
import { closed } from 'agent-platform'
import { listVoices, speak } from '../schemas.ts'
import type { AudioService } from '../service.ts'

export function speechRoutes(app: App, { audioService }: { audioService: AudioService }) {
  app.get(
    '/agents/tts/voices',
    { schema: listVoices, config: { scope: ['agents:read'] } },
    ({ principal, query }) => audioService.voices(principal, query)
  )

  app.post(
    '/audio/speech',
    { schema: speak, config: { failures: ['upstream', 'upstreamTimeout', 'paymentRequired'] } },
    async ({ principal, body }, reply) => {
      return reply.code(201).send({ data: await audioService.speak(principal, body, closed(reply)) })
    }
  )
}
