import type { Kernel, Principal, Recorded, Trx } from 'agent-platform'
import { afterCommit, createBatch } from 'agent-platform'
import type { StoredMember } from '../schemas/members.ts'
import type { StoredMessage } from '../schemas/messages.ts'
import type { MemberStore } from '../stores/members.ts'
import type { MessageStore, NewMessageRow } from '../stores/messages.ts'
import type { Answers } from './answers.ts'
import type { SpaceEvents } from './events.ts'

export type Posting = ReturnType<typeof createPosting>

/** A message to be posted: mentions beside those in its text. */
export interface Post {
  readonly by: Principal
  readonly row: NewMessageRow
}

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  memberStore: MemberStore
  messageStore: MessageStore
  spaceEvents: SpaceEvents
  answers: Answers
}

/** The one way in for messages: those that wait for a commit together are one transaction. */
export function createPosting({
  knex,
  transaction,
  facts,
  memberStore,
  messageStore,
  spaceEvents,
  answers
}: Deps) {
  /** Undefined for what was not taken: its author may not post there, it answers what is not there, or it was posted. */
  async function postAll(trx: Trx, posts: readonly Post[]): Promise<(StoredMessage | undefined)[]> {
    const named = await namedIn(trx, posts)
    const rows = posts.map(({ row }) => ({ ...row, mentions: mentionsOf(row, named.get(row.spaceId) ?? []) }))
    const recorded = posts.map(({ by, row }): Recorded => {
      const { id, spaceId, owner } = row
      return { name: 'spaces.message_posted', by, subject: id, owner, data: { id, spaceId } }
    })
    const taken = await messageStore.insertAll(trx, rows, recorded)
    const byId = new Map(taken.map((message) => [message.id, message]))
    const posted = posts.map(({ row }) => byId.get(row.id))
    const there = posted.filter((it) => it !== undefined)
    await spaceEvents.publishPosted(trx, there)
    await answers.orderAll(trx, there, named)
    afterCommit(trx, () => facts.recorded(recorded))
    return posted
  }

  /** Members whom the texts may name, and agents that always answer, by space. */
  async function namedIn(trx: Trx, posts: readonly Post[]): Promise<Map<string, StoredMember[]>> {
    const found: StoredMember[] = []
    for (const [project, those] of Map.groupBy(posts, ({ row }) => row.project)) {
      const mayName = ({ row: { content, mentions } }: Post) => content.includes('@') || mentions.length > 0
      const all = those.filter(mayName).map(({ row }) => row.spaceId)
      const agents = those.map(({ row }) => row.spaceId)
      found.push(...(await memberStore.listNamed(trx, project, { all, agents })))
    }
    return Map.groupBy(found, ({ spaceId }) => spaceId)
  }

  const batch = createBatch((posts: readonly Post[]) => knex.transaction((trx) => postAll(trx, posts)), {
    size: ({ row }) => row.content.length
  })

  return {
    postAll,
    /** With those that wait beside it. Undefined as in `postAll`. */
    post: batch,
    /** In a transaction of its own, which also says that the request was applied. */
    postAlone: async (post: Post): Promise<StoredMessage | undefined> =>
      (await transaction((trx) => postAll(trx, [post])))[0]
  }
}

/** Places where a text names, and members whom a message mentions: those that come first. */
const MOST_PLACES = 500
const MOST_MENTIONS = 50

/** Ids of members that are given, and of those that the text names as @name. */
function mentionsOf({ content, mentions }: NewMessageRow, named: readonly StoredMember[]): string[] {
  if (named.length === 0) return []
  const byName = new Map<string, string[]>()
  for (const { id, name, subjectId } of named)
    for (const called of new Set([name.toLowerCase(), subjectId.toLowerCase()])) {
      const ids = byName.get(called)
      if (ids) ids.push(id)
      else byName.set(called, [id])
    }
  const given = new Set(mentions)
  const found = new Set(named.flatMap(({ id }) => (given.has(id) ? [id] : [])))
  const lengths = [...new Set([...byName.keys()].map((called) => called.length))]
  const text = content.toLowerCase()
  let places = 0
  for (let at = text.indexOf('@'); at >= 0 && places < MOST_PLACES; at = text.indexOf('@', at + 1)) {
    if (isWord(text[at - 1])) continue
    places++
    for (const length of lengths) {
      if (isWord(text[at + 1 + length])) continue
      for (const id of byName.get(text.slice(at + 1, at + 1 + length)) ?? []) found.add(id)
    }
  }
  return [...found].slice(0, MOST_MENTIONS)
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
