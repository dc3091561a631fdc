import type { Delegation } from 'agent-platform'
import { Changes, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** UTF-16 code units. */
export const MAX_CONTENT = 20_000
/** NUL can be kept nowhere. */
const content = Type.String({
  minLength: 1,
  maxLength: MAX_CONTENT,
  pattern: '^\\s*[^\\s\\u0000][^\\u0000]*$'
})
const Attachment = Type.Object(
  { fileId: Type.String(), name: Type.String(), mediaType: Type.String(), size: Type.Integer() },
  { title: 'SpaceAttachment' }
)
const Reaction = Type.Object(
  { emoji: Type.String(), memberIds: Type.Array(Type.String()) },
  { title: 'SpaceReaction' }
)
const Message = Type.Object(
  {
    id: Type.String({ examples: ['message_01k4qz0000e0080000000000ab'] }),
    spaceId: Type.String(),
    owner: Type.String({ description: 'The author’s' }),
    memberId: Type.String({ description: 'The author, who may have left since' }),
    authorType: Type.Enum(['user', 'agent', 'service']),
    authorId: Type.String(),
    authorName: Type.String({ description: 'As it was called then' }),
    content: OrNull(content),
    replyToId: OrNull(Type.String({ maxLength: 128, description: 'The message that it answers' })),
    attachments: Type.Array(Attachment),
    mentions: Type.Array(Type.String(), { description: 'Ids of members' }),
    reactions: Type.Array(Reaction),
    runId: OrNull(Type.String({ description: 'The run of an agent that made it' })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time,
    deletedAt: OrNull(
      Type.String({ format: 'date-time', description: 'Of a tombstone, whose content is null' })
    )
  },
  { title: 'SpaceMessage' }
)
interface Kept {
  /** The message of a person that it goes back to, and how many agents spoke since. */
  readonly rootId: string
  readonly turn: number
  /** What makes it once. */
  readonly key: string | null
  /** What is left of a token that wrote it, or that an agent answers by: agents answer it with no more. */
  readonly delegation: Delegation | null
}
export const messages = table<typeof Message, Kept>('spaces.message', Message, {
  also: ['rootId', 'turn', 'key', 'delegation'],
  what: 'Message'
})
export type Message = Static<typeof Message>
export type Attachment = Static<typeof Attachment>
export type StoredMessage = Message & { readonly project: string } & Kept
export { Message }

const NewMessage = Type.Object(
  {
    content,
    replyToId: Type.Optional(Type.String({ maxLength: 128 })),
    attachments: Type.Optional(
      Type.Array(Type.Object({ fileId: Type.String({ maxLength: 128 }) }), { maxItems: 10, default: [] })
    ),
    mentions: Type.Optional(
      Type.Array(Type.String({ maxLength: 128 }), {
        maxItems: 50,
        default: [],
        description: 'Ids of members, beside those whom the text names as @name'
      })
    )
  },
  { title: 'NewSpaceMessage' }
)
const MessageChanges = Changes(Message, ['content'])
export type NewMessage = Static<typeof NewMessage>
export type MessageChanges = Static<typeof MessageChanges>

const Revision = Type.Object(
  { messageId: Type.String(), version: Type.Integer(), content: Type.String(), createdAt: Time },
  { title: 'SpaceMessageVersion' }
)
export type Revision = Static<typeof Revision>

const MessageQuery = Type.Object({
  ...Paging,
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Words to search for; "…" as they stand, - without'
    })
  ),
  replyToId: Type.Optional(Type.String({ maxLength: 128, description: 'Only answers to this message' }))
})
export type MessageQuery = Static<typeof MessageQuery>

const tags = ['spaces']
const InSpace = Type.Object({ spaceId: Type.String() })
const OfMessage = Type.Object({ spaceId: Type.String(), messageId: Type.String() })

export const listMessages = {
  tags,
  summary: 'Read messages, newest first',
  params: InSpace,
  querystring: MessageQuery,
  response: { 200: Page(Message) }
}
export const postMessage = {
  tags,
  summary: 'Post a message',
  description:
    'Members whom it names as `@name` are mentioned. Agents among the members answer it by runs of their own, as their `answers` says.',
  params: InSpace,
  body: NewMessage,
  response: { 201: Data(Message) }
}
export const editMessage = {
  tags,
  summary: 'Edit a message',
  description: 'Its author alone may. What it said before is kept as a version.',
  params: OfMessage,
  body: MessageChanges,
  response: { 200: Data(Message) }
}
export const deleteMessage = {
  tags,
  summary: 'Delete a message',
  description:
    'Its author or an admin may. A tombstone stays, without content, attachments and versions; what it said is taken out of the stream too.',
  params: OfMessage,
  response: { 200: Deleted }
}
export const listVersions = {
  tags,
  summary: 'What a message said before it was edited, newest first',
  params: OfMessage,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Revision) }
}
const emoji = Type.String({ minLength: 1, maxLength: 32, pattern: '^[^\\s\\u0000-\\u001f<>&"\'/\\\\]+$' })
const OfReaction = Type.Object({ ...OfMessage.properties, emoji })
export const addReaction = {
  tags,
  summary: 'React to a message',
  params: OfReaction,
  response: { 200: Data(Message) }
}
export const removeReaction = {
  tags,
  summary: 'Take a reaction back',
  params: OfReaction,
  response: { 200: Data(Message) }
}
export const readAttachment = {
  tags,
  summary: 'Read a file that is attached to a message',
  params: Type.Object({ ...OfMessage.properties, fileId: Type.String() }),
  response: {
    200: {
      description: 'The bytes, as a download',
      content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } }
    }
  }
}
