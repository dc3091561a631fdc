import type { Principal } from 'agent-platform'
import { forbidden, unavailable } from 'agent-platform'
import { AccessToken } from 'livekit-server-sdk'
import type { RtcTicket } from '../schemas/streams.ts'
import type { SpaceSettings } from '../settings.ts'
import type { SpaceAccess } from '../stores/access.ts'
import { suffices } from '../stores/access.ts'
import type { MemberStore } from '../stores/members.ts'

export type Tickets = ReturnType<typeof createTickets>

interface Deps {
  settings: SpaceSettings
  spaceAccess: SpaceAccess
  memberStore: MemberStore
}

/** A ticket is for joining; who has joined stays until the server is told. */
const SECONDS = 600

/** Lets members of a space into its room on a LiveKit server. */
export function createTickets({ settings, spaceAccess, memberStore }: Deps) {
  async function mint(by: Principal, spaceId: string): Promise<RtcTicket> {
    const { space, role } = await spaceAccess.find(by, spaceId, 'guest')
    const { livekitUrl: url, livekitApiKey, livekitApiSecret } = settings
    if (!url || !livekitApiKey || !livekitApiSecret)
      throw unavailable('No WebRTC server is set: LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET', {
        code: 'capability_missing',
        cause: null
      })
    const member = await memberStore.findOfPrincipal(by, spaceId)
    if (!member) throw forbidden('Only members join', { code: 'not_member' })
    const canPublish = suffices(role, 'member')
    const issued = Date.now()
    const token = new AccessToken(livekitApiKey, livekitApiSecret, {
      identity: member.id,
      name: member.name,
      ttl: SECONDS
    })
    token.addGrant({
      room: space.id,
      roomJoin: true,
      canPublish,
      canPublishData: canPublish,
      canSubscribe: true
    })
    return {
      url,
      token: await token.toJwt(),
      room: space.id,
      identity: member.id,
      canPublish,
      expiresAt: new Date(issued + SECONDS * 1_000).toISOString()
    }
  }

  return { mint }
}
