import type { App, Asked, Principal } from 'agent-platform'
import { actOnChannel, receive } from './schemas.ts'
import type { ChannelService } from './services/channels.ts'
import type { Conversing } from './services/conversing.ts'
import type { ChannelRow } from './store.ts'

interface Deps {
  channelService: ChannelService
  conversing: Conversing
}

export function channelRoutes(app: App, { channelService, conversing }: Deps) {
  /** Of a request that was let in, by its headers. */
  const admitted = new WeakMap<Asked['headers'], { channel: ChannelRow; owner: Principal }>()

  async function by({ params, headers }: Asked) {
    const found = await conversing.admit((params as { channelId: string }).channelId)
    admitted.set(headers, found)
    return found.owner
  }

  app.post(
    '/agents/:agentId/runtime/channels/:channel/:action',
    {
      schema: actOnChannel,
      config: { scope: ['agents:write'], secret: ['secret', 'code'], failures: ['upstream'] }
    },
    async ({ principal, params: { agentId, channel, action }, body }) => {
      return {
        data: await channelService.act(
          principal,
          agentId,
          channel,
          action,
          (body ?? {}) as Record<string, unknown>
        )
      }
    }
  )

  app.post(
    '/channels/:channelId/deliveries',
    { schema: receive, config: { by, body: 'raw', repeats: 'own' } },
    async ({ headers, body }) => {
      const { channel, owner } = admitted.get(headers) as { channel: ChannelRow; owner: Principal }
      return conversing.deliver(channel, owner, headers, (body as Buffer | undefined) ?? Buffer.alloc(0))
    }
  )
}
