import { randomUUID } from 'node:crypto'
import type { Kernel } from 'agent-platform'

export type Presence = ReturnType<typeof createPresence>

/** One who follows a space by a stream of this process. */
export interface Follower {
  readonly spaceId: string
  /** Undefined of a service that is no member. */
  readonly memberId: string | undefined
  /** Whose streams `unsubscribe` ends. */
  readonly subject: string
  send(type: string, fields: object): void
  close(): void
}
/** What outlives a reload: streams do. */
interface State {
  readonly instance: string
  readonly followers: Map<string, Set<Follower>>
  /** Members that follow a space on each instance, and when that was told. */
  readonly elsewhere: Map<string, Map<string, Map<string, number>>>
  /** Until when members are taken to speak. */
  readonly speaking: Map<string, Map<string, number>>
}

interface Told {
  readonly from: string
  readonly spaceId: string
  readonly memberIds: readonly string[]
  readonly isPresent: boolean
}

/** To be raised when what is shared changes its shape. */
const VERSION = 1
const TOLD = 'spaces.told'
const PRESENT = 'spaces.present'
const ASKED = 'spaces.presence_asked'
const LEFT = 'spaces.left'
/** Members that one signal names. */
const PIECE = 100
const TELL_MS = 20_000
/** An instance that told nothing for so long is gone. */
const BELIEVE_MS = 65_000
/** Who speaks says so again before this is over. */
export const SPEAKS_MS = 10_000

/** Who follows spaces now, on all instances, and what is told to them without being kept: lossy, as signals are. */
export function createPresence({ shared, signals }: Pick<Kernel, 'shared' | 'signals'>) {
  let state: State = emptyState()
  let hearing: Disposable[] = []
  let timer: NodeJS.Timeout | undefined

  const here = (spaceId: string): Set<string> =>
    new Set([...(state.followers.get(spaceId) ?? [])].flatMap(({ memberId }) => memberId ?? []))

  /** Members that are there, here and on other instances. */
  function present(spaceId: string): Set<string> {
    const now = Date.now()
    const all = here(spaceId)
    for (const those of state.elsewhere.get(spaceId)?.values() ?? [])
      for (const [memberId, at] of those) if (now - at < BELIEVE_MS) all.add(memberId)
    return all
  }

  function sendHere(spaceId: string, type: string, fields: object): void {
    for (const follower of state.followers.get(spaceId) ?? []) follower.send(type, fields)
  }

  /** Changes who is there, and tells those who follow here what became different. */
  function change(spaceId: string, memberIds: readonly string[], work: () => void): void {
    const before = present(spaceId)
    work()
    const after = present(spaceId)
    for (const memberId of memberIds)
      if (before.has(memberId) !== after.has(memberId))
        sendHere(spaceId, 'presence', { memberId, isPresent: after.has(memberId) })
  }

  const tell = (spaceId: string, memberIds: readonly string[], isPresent: boolean): void => {
    for (let at = 0; at < memberIds.length; at += PIECE)
      signals.send(PRESENT, {
        from: state.instance,
        spaceId,
        memberIds: memberIds.slice(at, at + PIECE),
        isPresent
      })
  }

  function heardPresent(data: unknown): void {
    const { from, spaceId, memberIds, isPresent } = data as Told
    if (from === state.instance) return
    change(spaceId, memberIds, () => {
      const bySpace = state.elsewhere.get(spaceId) ?? new Map<string, Map<string, number>>()
      const those = bySpace.get(from) ?? new Map<string, number>()
      for (const id of memberIds) isPresent ? those.set(id, Date.now()) : those.delete(id)
      if (those.size > 0) bySpace.set(from, those)
      else bySpace.delete(from)
      if (bySpace.size > 0) state.elsewhere.set(spaceId, bySpace)
      else state.elsewhere.delete(spaceId)
    })
  }

  function heardTold(data: unknown): void {
    const { spaceId, type, fields } = data as {
      spaceId: string
      type: string
      fields: Record<string, unknown>
    }
    if (type === 'speaking') heardSpeaking(spaceId, String(fields.memberId), fields.isSpeaking === true)
    sendHere(spaceId, type, fields)
  }

  function heardSpeaking(spaceId: string, memberId: string, isSpeaking: boolean): void {
    const those = state.speaking.get(spaceId) ?? new Map<string, number>()
    if (isSpeaking) those.set(memberId, Date.now() + SPEAKS_MS)
    else those.delete(memberId)
    if (those.size > 0) state.speaking.set(spaceId, those)
    else state.speaking.delete(spaceId)
  }

  function sweep(): void {
    const now = Date.now()
    for (const spaceId of state.followers.keys()) tell(spaceId, [...here(spaceId)], true)
    for (const [spaceId, bySpace] of state.elsewhere)
      for (const [from, those] of bySpace) {
        const gone = [...those].flatMap(([memberId, at]) => (now - at >= BELIEVE_MS ? memberId : []))
        for (const memberId of gone) {
          those.delete(memberId)
          if (!present(spaceId).has(memberId)) sendHere(spaceId, 'presence', { memberId, isPresent: false })
        }
        if (those.size === 0) bySpace.delete(from)
        if (bySpace.size === 0) state.elsewhere.delete(spaceId)
      }
    for (const [spaceId, those] of state.speaking)
      for (const [memberId, until] of those) if (until < now) heardSpeaking(spaceId, memberId, false)
  }

  return {
    async begin(): Promise<void> {
      state = await shared(
        `presence.${VERSION}`,
        async () => emptyState(),
        async () => undefined
      )
      hearing = [
        signals.on(TOLD, heardTold),
        signals.on(PRESENT, heardPresent),
        signals.on(ASKED, (spaceId) => tell(String(spaceId), [...here(String(spaceId))], true)),
        signals.on(LEFT, (data) => {
          const { spaceId, subject } = data as { spaceId: string; subject: string }
          for (const follower of state.followers.get(spaceId) ?? [])
            if (follower.subject === subject) {
              // A client that takes up what broke off is told that this did not.
              follower.send('unsubscribed', {})
              follower.close()
            }
        })
      ]
      timer = setInterval(sweep, TELL_MS).unref()
    },
    end(): void {
      clearInterval(timer)
      for (const subscription of hearing) subscription[Symbol.dispose]()
      hearing = []
    },

    /** Says whether a member of the space is there. */
    of(spaceId: string): (memberId: string) => boolean {
      const all = present(spaceId)
      return (memberId) => all.has(memberId)
    },
    /** Who speaks now. */
    speaking(spaceId: string): ReadonlySet<string> {
      const now = Date.now()
      return new Set(
        [...(state.speaking.get(spaceId) ?? [])].flatMap(([id, until]) => (until > now ? [id] : []))
      )
    },
    countOf: (spaceId: string, subject: string): number =>
      [...(state.followers.get(spaceId) ?? [])].filter((it) => it.subject === subject).length,

    follow(follower: Follower): () => void {
      const { spaceId, memberId } = follower
      const ids = memberId === undefined ? [] : [memberId]
      if (!state.followers.has(spaceId)) signals.send(ASKED, spaceId)
      change(spaceId, ids, () => {
        state.followers.set(spaceId, (state.followers.get(spaceId) ?? new Set()).add(follower))
      })
      tell(spaceId, ids, true)
      return () => {
        change(spaceId, ids, () => {
          const left = state.followers.get(spaceId)
          left?.delete(follower)
          if (left?.size === 0) state.followers.delete(spaceId)
        })
        const still = here(spaceId)
        tell(
          spaceId,
          ids.filter((id) => !still.has(id)),
          false
        )
      }
    },
    /** To all who follow the space, on all instances. */
    tell: (spaceId: string, type: string, fields: object): void =>
      signals.send(TOLD, { spaceId, type, fields }),
    /** Ends the streams of a subject in the space, on all instances. */
    leave: (spaceId: string, subject: string): void => signals.send(LEFT, { spaceId, subject })
  }
}

const emptyState = (): State => ({
  instance: randomUUID(),
  followers: new Map(),
  elsewhere: new Map(),
  speaking: new Map()
})
