import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, baseUrl } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useEffect, useState } from 'react'

export type Space = Schemas['FullSpace']
export type Message = Schemas['SpaceMessage']
export type Member = Schemas['SpaceMember']

interface Event {
  readonly type: string
  readonly seq: number
  readonly message?: Message
  readonly messageId?: string
  readonly memberId?: string
  readonly emoji?: string
  readonly isPresent?: boolean
}

/** How long a member is shown to type after it said so. */
const TYPES_MS = 5_000
/** More are not laid out. */
const SHOWN = 500

export const fullKey = (spaceId: string) => ['spaces', spaceId, 'full']

/** A space as it is now: read once, then followed; each event changes what is shown. */
export function useLiveSpace(spaceId: string) {
  const queries = useQueryClient()
  const full = useQuery({
    queryKey: fullKey(spaceId),
    queryFn: async ({ signal }) =>
      (await api.get('/v1/spaces/{spaceId}/full', { params: { path: { spaceId } }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY
  })
  const [typing, setTyping] = useState<ReadonlyMap<string, number>>(new Map())
  const [hasLeft, setHasLeft] = useState(false)
  const isRead = full.data !== undefined

  useEffect(() => {
    if (!isRead) return
    const change = (work: (space: Space) => Space) =>
      queries.setQueryData<Space>(fullKey(spaceId), (space) => space && work(space))
    const seq = queries.getQueryData<Space>(fullKey(spaceId))?.seq ?? -1
    const stream = new EventSource(`${baseUrl}/v1/spaces/${spaceId}/subscribe?after=${seq}`)
    stream.addEventListener('message', ({ data }) => {
      const event: Event = JSON.parse(data)
      const { type, memberId } = event
      if (type === 'typing' && memberId)
        setTyping((before) => new Map(before).set(memberId, Date.now() + TYPES_MS))
      else if (type.startsWith('member_') || type === 'space_updated')
        queries.invalidateQueries({ queryKey: fullKey(spaceId) })
      else {
        if (type === 'message_posted') setTyping((before) => without(before, event.message?.memberId))
        change((space) => applied(space, event))
      }
    })
    // It is taken up again by itself; where it is refused, the space is read anew, which tells why.
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED) return
      setHasLeft(true)
      queries.invalidateQueries({ queryKey: fullKey(spaceId) })
    })
    const sweep = setInterval(() => {
      setTyping((before) => {
        const after = [...before].filter(([, until]) => until > Date.now())
        return after.length === before.size ? before : new Map(after)
      })
    }, 1_000)
    return () => {
      stream.close()
      clearInterval(sweep)
    }
  }, [spaceId, isRead, queries])

  return { full, typing: new Set(typing.keys()), hasLeft }
}

/** Who has said it types it no more. */
function without(typing: ReadonlyMap<string, number>, memberId = ''): ReadonlyMap<string, number> {
  return typing.has(memberId) ? new Map([...typing].filter(([id]) => id !== memberId)) : typing
}

/** The same event twice changes nothing more. */
function applied(space: Space, event: Event): Space {
  const { type, message, messageId, memberId, emoji, isPresent } = event
  const each = (id: string, change: (it: Message) => Message) => ({
    ...space,
    messages: space.messages.map((it) => (it.id === id ? change(it) : it))
  })
  if (type === 'message_posted' && message && !space.messages.some(({ id }) => id === message.id))
    return { ...space, messages: [...space.messages, message].slice(-SHOWN) }
  if (type === 'message_edited' && message)
    return each(message.id, (it) => ({ ...message, reactions: it.reactions }))
  if (type === 'message_deleted' && messageId)
    return each(messageId, (it) => ({
      ...it,
      content: null,
      attachments: [],
      reactions: [],
      deletedAt: it.deletedAt ?? it.updatedAt
    }))
  if (type.startsWith('reaction_') && messageId && memberId && emoji)
    return each(messageId, (it) => ({
      ...it,
      reactions: reacted(it, emoji, memberId, type === 'reaction_added')
    }))
  if (type === 'presence' && memberId)
    return {
      ...space,
      members: space.members.map((it) => (it.id === memberId ? { ...it, isPresent: isPresent === true } : it))
    }
  return space
}

function reacted({ reactions }: Message, emoji: string, memberId: string, isAdded: boolean) {
  const known = reactions.find((it) => it.emoji === emoji)?.memberIds ?? []
  const others = known.filter((it) => it !== memberId)
  const memberIds = isAdded ? [...others, memberId] : others
  const rest = reactions.filter((it) => it.emoji !== emoji)
  return memberIds.length > 0 ? [...rest, { emoji, memberIds }] : rest
}
