import type { Kernel, PageOf, Paging, Principal } from 'agent-platform'
import {
  bothOf,
  conflict,
  delegationOf,
  forbidden,
  invalid,
  newId,
  notFound,
  pageOf,
  subjectOf
} from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type {
  Attachment,
  Message,
  MessageChanges,
  MessageQuery,
  NewMessage,
  StoredMessage
} from '../schemas/messages.ts'
import { messages } from '../schemas/messages.ts'
import type { Entered, SpaceAccess } from '../stores/access.ts'
import { suffices } from '../stores/access.ts'
import type { MessageStore, NewMessageRow } from '../stores/messages.ts'
import type { SpaceEvents } from './events.ts'
import { messageOf, redacted } from './events.ts'
import type { Posting } from './posting.ts'

export type MessageService = ReturnType<typeof createMessageService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'streams'> {
  files: Files | undefined
  messageStore: MessageStore
  spaceAccess: SpaceAccess
  spaceEvents: SpaceEvents
  posting: Posting
}
/** What a message that an app posts goes back to, and what makes it once. */
export type Origin = Partial<Pick<NewMessageRow, 'rootId' | 'turn' | 'key'>>

/** Different ones on a message. */
const EMOJIS = 20

export function createMessageService(deps: Deps) {
  const { knex, transaction, facts, streams, files, messageStore, spaceAccess, spaceEvents, posting } = deps

  async function list(by: Principal, spaceId: string, query: MessageQuery): Promise<PageOf<Message>> {
    const { space } = await spaceAccess.find(by, spaceId, 'guest')
    const { data, nextCursor } = await messageStore.list(space.project, spaceId, query)
    return { data: data.map(messageOf), nextCursor }
  }

  async function attachmentsOf(by: Principal, given: NewMessage['attachments'] = []): Promise<Attachment[]> {
    if (given.length === 0) return []
    if (!files) throw invalid('/attachments', 'Files are not available here', 'capability_missing')
    const found: Attachment[] = []
    for (const [index, { fileId }] of given.entries()) {
      const { id, name, mediaType, size } = await files.find(
        by,
        fileId,
        'read',
        `/attachments/${index}/fileId`
      )
      found.push({ fileId: id, name, mediaType, size })
    }
    return found
  }

  /** `isAlone`: in a transaction of its own, which also says that the request was applied. */
  async function post(
    by: Principal,
    spaceId: string,
    input: NewMessage,
    { isAlone = false, origin = {} }: { readonly isAlone?: boolean; readonly origin?: Origin }
  ): Promise<Message> {
    const { content, replyToId = null, mentions = [] } = input
    const attachments = await attachmentsOf(by, input.attachments)
    const { subjectType, subjectId } = subjectOf(by) as { subjectType: 'user'; subjectId: string }
    const { project, owner } = by
    const id = newId('message')
    // What an agent posts by itself counts as a turn: others answer it within their caps.
    const turn = Math.max(origin.turn ?? 0, by.type === 'agent' ? 1 : 0)
    const from = { runId: null, rootId: id, key: null, ...origin, turn }
    const about = { project, id, owner, spaceId, subjectType, subjectId }
    const row = { ...about, ...from, content, replyToId, attachments, mentions, delegation: delegationOf(by) }
    const posted = await (isAlone ? posting.postAlone : posting.post)({ by, row })
    if (posted) return messageOf(posted)
    const refused = await refusal(by, spaceId, replyToId)
    const known = from.key === null ? undefined : await messageStore.findOfKey(project, from.key)
    if (known) return messageOf(known)
    throw refused
  }

  /** Why a message was not taken: it is asked for only then. */
  async function refusal(by: Principal, spaceId: string, replyToId: string | null): Promise<Error> {
    const { space, memberId } = await spaceAccess.find(by, spaceId, 'member')
    if (memberId === undefined)
      return forbidden('Only members post: become one first', { code: 'not_member' })
    if (replyToId !== null && !(await messageStore.find(knex, space.project, spaceId, replyToId)))
      return notFound(messages.what, { param: '/replyToId' })
    return conflict('The space changed meanwhile: post again', { code: 'changed_meanwhile' })
  }

  /** A message of this space, whose author or an admin of it asks. */
  async function find(entered: Entered, messageId: string): Promise<StoredMessage> {
    const { space } = entered
    const message = await messageStore.find(knex, space.project, space.id, messageId)
    if (!message) throw notFound(messages.what)
    return message
  }
  const isAuthor = ({ memberId }: Entered, message: StoredMessage) => memberId === message.memberId

  async function edit(
    by: Principal,
    spaceId: string,
    messageId: string,
    changes: MessageChanges,
    version?: number
  ): Promise<Message> {
    // A guest, as who posted may have become, says nothing new in what it said before.
    const entered = await spaceAccess.find(by, spaceId, 'member')
    const found = await find(entered, messageId)
    if (!isAuthor(entered, found)) throw forbidden('Only its author edits a message', { code: 'not_owner' })
    if (changes.content === null) throw invalid('/content', 'A message is deleted by DELETE')
    return transaction(async (trx) => {
      const before = await messages.lock(trx, found, version)
      if (before.deletedAt !== null) throw conflict('The message was deleted', { code: 'message_deleted' })
      const delegation = bothOf(before.delegation, delegationOf(by))
      const { row, isChanged } = await messages.update(trx, found, { ...changes, delegation }, version)
      if (!isChanged) return messageOf(row)
      const { project, version: was, content, updatedAt } = before
      const revision = { messageId, version: was, content: content ?? '', createdAt: updatedAt, spaceId }
      await messageStore.insertRevision(trx, project, revision)
      await spaceEvents.publish(trx, project, spaceId, 'message_edited', { message: messageOf(row) })
      const data = { id: messageId, spaceId }
      await facts.record(trx, 'spaces.message_edited', by, { subject: messageId, owner: row.owner, data })
      return messageOf(row)
    })
  }

  async function remove(by: Principal, spaceId: string, messageId: string, version?: number) {
    const entered = await spaceAccess.find(by, spaceId, 'guest')
    const found = await find(entered, messageId)
    if (!isAuthor(entered, found) && !suffices(entered.role, 'admin'))
      throw forbidden('Its author or an admin deletes a message', { code: 'not_granted' })
    const { project, owner } = found
    return transaction(async (trx) => {
      const { deletedAt } = await messages.lock(trx, found, version)
      if (deletedAt === null) {
        await messageStore.removeContent(trx, found)
        await messageStore.removeRevisions(trx, project, messageId)
        await streams.redact(trx, { project, stream: spaceId }, messageId, redacted)
        await spaceEvents.publish(trx, project, spaceId, 'message_deleted', { messageId })
        const data = { id: messageId, spaceId }
        await facts.record(trx, 'spaces.message_deleted', by, { subject: messageId, owner, data })
      }
      return { id: messageId, deleted: true as const }
    })
  }

  async function versions(by: Principal, spaceId: string, messageId: string, page: Paging) {
    const found = await find(await spaceAccess.find(by, spaceId, 'guest'), messageId)
    return pageOf('versions', await messageStore.listRevisions(found.project, messageId), page)
  }

  const react =
    (isAdded: boolean) =>
    async (by: Principal, spaceId: string, messageId: string, emoji: string): Promise<Message> => {
      const entered = await spaceAccess.find(by, spaceId, 'guest')
      const { memberId } = entered
      if (memberId === undefined) throw forbidden('Only members react', { code: 'not_member' })
      const found = await find(entered, messageId)
      return transaction(async (trx) => {
        const message = await messages.lock(trx, found)
        if (message.deletedAt !== null) throw conflict('The message was deleted', { code: 'message_deleted' })
        const known = message.reactions.find((it) => it.emoji === emoji)
        if ((known?.memberIds.includes(memberId) ?? false) === isAdded) return messageOf(message)
        if (isAdded && !known && message.reactions.length >= EMOJIS)
          throw conflict(`A message has ${EMOJIS} different reactions at most`, {
            code: 'too_many_reactions'
          })
        const others = (known?.memberIds ?? []).filter((it) => it !== memberId)
        const changed = { emoji, memberIds: isAdded ? [...others, memberId] : others }
        const reactions = (known ? message.reactions : [...message.reactions, changed])
          .map((it) => (it.emoji === emoji ? changed : it))
          .filter(({ memberIds }) => memberIds.length > 0)
        await messageStore.replaceReactions(trx, message, reactions)
        const type = isAdded ? 'reaction_added' : 'reaction_removed'
        await spaceEvents.publish(trx, message.project, spaceId, type, { messageId, memberId, emoji })
        return messageOf({ ...message, reactions })
      })
    }

  /** A file that is attached to a message, for those who may read the message. */
  async function attachment(by: Principal, spaceId: string, messageId: string, fileId: string) {
    const { project, attachments, owner } = await find(
      await spaceAccess.find(by, spaceId, 'guest'),
      messageId
    )
    if (!files || !attachments.some((it) => it.fileId === fileId)) throw notFound('Attachment')
    // As its author, who could read it when it was attached; gone with the file.
    const file = await files.find({ ...by, type: 'user', id: owner, project, owner }, fileId, 'read')
    return { file, stream: await files.stream(file) }
  }

  return {
    list,
    post,
    edit,
    remove,
    versions,
    attachment,
    addReaction: react(true),
    removeReaction: react(false)
  }
}
