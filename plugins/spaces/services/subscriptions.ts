import type { Kernel, Principal } from 'agent-platform'
import { exhausted, forbidden, subjectOf } from 'agent-platform'
import type { Signal } from '../schemas/streams.ts'
import type { SpaceSettings } from '../settings.ts'
import type { SpaceAccess } from '../stores/access.ts'
import { idField } from './events.ts'
import type { Presence } from './presence.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

interface Deps extends Pick<Kernel, 'streams' | 'limits'> {
  settings: SpaceSettings
  spaceAccess: SpaceAccess
  presence: Presence
}

/** Follows spaces: for as long as the caller is a member. */
export function createSubscriptions({ settings, limits, spaceAccess, presence }: Deps) {
  const nameOf = (by: Principal) => {
    const { subjectType, subjectId } = subjectOf(by)
    return `${subjectType}/${subjectId}`
  }

  /** What answers a request. */
  async function find(by: Principal, spaceId: string) {
    const { space, memberId } = await spaceAccess.find(by, spaceId, 'guest')
    const subject = nameOf(by)
    if (presence.countOf(spaceId, subject) >= settings.streams)
      throw exhausted(`${settings.streams} streams of this space are open`, { code: 'too_many_streams' })
    const over = new AbortController()
    return {
      project: space.project,
      stream: spaceId,
      idField,
      signal: over.signal,
      // The removal stands in the stream itself: what came after it is not for this reader, whatever was lost on the way.
      isLast: (event: string) =>
        memberId !== undefined &&
        event.startsWith('{"type":"member_removed"') &&
        event.includes(`"${memberId}"`),
      live: (send: (type: string, fields: object) => void) => {
        // Who was removed since it was looked up may begin behind its removal.
        spaceAccess.find(by, spaceId, 'guest').catch(() => over.abort())
        return presence.follow({ spaceId, memberId, subject, send, close: () => over.abort() })
      }
    }
  }

  async function unsubscribe(by: Principal, spaceId: string) {
    await spaceAccess.find(by, spaceId, 'guest')
    presence.leave(spaceId, nameOf(by))
    return { id: spaceId, unsubscribed: true as const }
  }

  async function signal(by: Principal, spaceId: string, { type, isSpeaking = true }: Signal) {
    const { memberId } = await spaceAccess.find(by, spaceId, type === 'speaking' ? 'member' : 'guest')
    if (memberId === undefined) throw forbidden('Only members signal', { code: 'not_member' })
    await limits.count('spaces.signals', `${by.project}/${nameOf(by)}`, settings.signalsPerMinute)
    presence.tell(spaceId, type, { memberId, ...(type === 'speaking' && { isSpeaking }) })
    return { type, memberId }
  }

  return { find, unsubscribe, signal }
}
