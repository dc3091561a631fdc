import type { App, Asked } from 'agent-platform'
import { closed } from 'agent-platform'
import { interact, readInteraction } from '../schemas/interactions.ts'
import type { Admitted, InteractionService } from '../services/interactions.ts'

export function interactionRoutes(
  app: App,
  { interactionService }: { interactionService: InteractionService }
) {
  /** Of a request that was let in by its token, by its headers. */
  const admitted = new WeakMap<Asked['headers'], Admitted>()

  async function by({ headers, ip }: Asked) {
    const found = await interactionService.admit(headers.authorization, ip)
    admitted.set(headers, found)
    return found.by
  }

  app.post(
    '/liaison/interact',
    { schema: interact, config: { by, repeats: 'own', secret: 'token' } },
    async (request, reply) => {
      const { headers, body, ip } = request
      const given = headers['idempotency-key']
      const key = typeof given === 'string' ? given : undefined
      const from = { ip, key, left: closed(reply) }
      return { data: await interactionService.interact(admitted.get(headers) as Admitted, body, from) }
    }
  )

  app.get(
    '/liaison/interactions/:interactionId',
    { schema: readInteraction, config: { by } },
    async ({ headers, params, query }, reply) => {
      const { waitSeconds = 30 } = query
      const who = admitted.get(headers) as Admitted
      return { data: await interactionService.read(who, params.interactionId, waitSeconds, closed(reply)) }
    }
  )
}
