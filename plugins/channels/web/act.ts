import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

/** Does that with a channel of the agent. */
export const act = async (
  agentId: string,
  channel: string,
  action: string,
  body: Record<string, unknown> = {}
): Promise<Schemas['ChannelActed']> =>
  (
    await api.post('/v1/agents/{agentId}/runtime/channels/{channel}/{action}', {
      params: { path: { agentId, channel, action } },
      body
    })
  ).data
