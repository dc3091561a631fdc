import type { Kernel, Principal } from 'agent-platform'
import { digestOf } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Agents } from '../../agents/contract.ts'
import type { Files } from '../../files/contract.ts'
import type { StoredMember } from '../schemas/members.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { MemberStore } from '../stores/members.ts'
import type { Tile } from './drawing.ts'
import { draw } from './drawing.ts'
import type { Presence } from './presence.ts'

export type Composite = ReturnType<typeof createComposite>

interface Deps extends Pick<Kernel, 'log'> {
  agents: Agents
  files: Files | undefined
  memberStore: MemberStore
  spaceAccess: SpaceAccess
  presence: Presence
}

/** Members in a picture: those who are there first. */
const MOST = 16
const LOOKED_THROUGH = 200
/** Pictures in memory. */
const KEPT = 64
const AVATAR_BYTES = 2_097_152

/** The members of a space and who speaks as one picture, drawn again only when something in it changed. */
export function createComposite({ agents, files, memberStore, spaceAccess, presence, log }: Deps) {
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: KEPT })

  async function tileOf(member: StoredMember, isPresent: boolean, isSpeaking: boolean): Promise<Tile> {
    const { id, name, subjectType, subjectId } = member
    const profile = subjectType === 'agent' ? await agents.afresh(subjectId) : undefined
    const avatar = profile?.agent.project === member.project ? profile.agent.avatar?.sha256 : undefined
    return { id, name, isPresent, isSpeaking, avatar: avatar ?? null }
  }

  async function find(by: Principal, spaceId: string) {
    const { space } = await spaceAccess.find(by, spaceId, 'guest')
    const all = await memberStore.listAll({ project: space.project, spaceId }, LOOKED_THROUGH)
    const [isPresent, speaking] = [presence.of(spaceId), presence.speaking(spaceId)]
    const shown = all.toSorted((a, b) => Number(isPresent(b.id)) - Number(isPresent(a.id))).slice(0, MOST)
    const tiles = await Promise.all(shown.map((it) => tileOf(it, isPresent(it.id), speaking.has(it.id))))
    const picture = { name: space.name, tiles, more: all.length - shown.length }
    const digest = digestOf(picture)
    return {
      etag: `"${digest}"`,
      async png(): Promise<Buffer> {
        const known = drawn.get(digest)
        if (known) return known
        const drawing = draw(picture, avatarOf)
        drawn.set(digest, drawing)
        drawing.catch(() => drawn.delete(digest))
        return drawing
      }
    }
  }

  /** Made anew by the platform when it was uploaded, so that it may be decoded here. */
  const avatarOf = async (sha256: string): Promise<Buffer | undefined> => {
    try {
      return await files?.read({ sha256 }, AVATAR_BYTES)
    } catch (error) {
      log.warn({ error }, 'An avatar could not be read')
      return undefined
    }
  }

  return { find }
}
