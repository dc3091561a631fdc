import { Changes, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** The lowest first; each may what the ones before it may. */
export const roles = ['guest', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

const subject = {
  subjectType: Type.Enum(['user', 'agent', 'service']),
  subjectId: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$' })
}
const role = Type.Enum([...roles], {
  description:
    'A guest reads and reacts; a member posts besides; an admin changes the space, its members and what others posted; an owner also makes owners and deletes the space'
})
const answers = Type.Enum(['mentioned', 'always', 'never'], {
  description: 'Of an agent: when it answers a message, by default when it is mentioned. Never its own'
})
const stored = Type.Object(
  {
    id: Type.String({ examples: ['member_01k4qz0000e0080000000000ab'] }),
    spaceId: Type.String(),
    owner: Type.String({ description: 'The space’s' }),
    ...subject,
    role,
    name: Name({ maxLength: 100, description: 'By which others call it, and mention it: @name' }),
    answers: OrNull(answers),
    readMessageId: OrNull(Type.String({ maxLength: 128, description: 'The last message that it has read' })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'SpaceMember' }
)
interface Kept {
  /** As whom an agent runs here: who brought it. */
  readonly addedBy: string
  readonly sessionId: string | null
  readonly seenMessageId: string | null
}
export const members = table<typeof stored, Kept>('spaces.member', stored, {
  also: ['addedBy', 'sessionId', 'seenMessageId'],
  what: 'Member'
})
export type StoredMember = Static<typeof stored> & { readonly project: string } & Kept

const Member = Type.Object(
  {
    ...stored.properties,
    isPresent: Type.Boolean({ description: 'It follows the space now' })
  },
  { title: 'SpaceMember' }
)
const NewMember = Type.Object(
  {
    ...subject,
    role: Type.Optional({ ...role, default: 'member' }),
    name: Type.Optional(
      Name({ maxLength: 100, description: 'Default: the agent’s name, else the subject’s id' })
    ),
    answers: Type.Optional(answers)
  },
  { title: 'NewSpaceMember' }
)
const MemberChanges = Changes(Member, ['role', 'name', 'answers', 'readMessageId'])
export type Member = Static<typeof Member>
export type NewMember = Static<typeof NewMember>
export type MemberChanges = Static<typeof MemberChanges>
export { Member }

const tags = ['spaces']
const InSpace = Type.Object({ spaceId: Type.String() })
const OfMember = Type.Object({ spaceId: Type.String(), memberId: Type.String() })

export const listMembers = {
  tags,
  summary: 'List the members of a space',
  params: InSpace,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Member) }
}
export const addMember = {
  tags,
  summary: 'Add a member, or join a public space',
  description:
    'An admin adds people and agents; an agent takes a principal that may run it. Of a public space everyone in the project may add itself, as a member. 409 `already_member`.',
  params: InSpace,
  body: NewMember,
  response: { 201: Data(Member) }
}
export const updateMember = {
  tags,
  summary: 'Update a member',
  description:
    'An admin changes roles, and when agents answer; a member its own name and what it has read. 409 `last_owner` for the last owner’s role.',
  params: OfMember,
  body: MemberChanges,
  response: { 200: Data(Member) }
}
export const removeMember = {
  tags,
  summary: 'Remove a member, or leave',
  description: 'Its streams end. 409 `last_owner` for the last owner, who deletes the space instead.',
  params: OfMember,
  response: { 200: Deleted }
}
