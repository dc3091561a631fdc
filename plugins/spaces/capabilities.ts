import { Closed, Page, Paging, subjectOf } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { listMembers } from './schemas/members.ts'
import { listMessages, postMessage } from './schemas/messages.ts'
import { listSpaces } from './schemas/spaces.ts'
import type { MemberService } from './services/members.ts'
import type { MessageService } from './services/messages.ts'
import type { SpaceService } from './services/spaces.ts'
import type { AnswerStore } from './stores/answers.ts'

const narrows = { to: 'spaces', at: '/spaceId' } as const
const spaceId = Type.String({ maxLength: 128 })
const Space = listSpaces.response[200].properties.data.items
const Member = listMembers.response[200].properties.data.items
const Message = Type.Pick(listMessages.response[200].properties.data.items, [
  'id',
  'spaceId',
  'memberId',
  'authorType',
  'authorName',
  'content',
  'replyToId',
  'attachments',
  'mentions',
  'reactions',
  'version',
  'createdAt',
  'deletedAt'
])
const { content, replyToId, mentions } = postMessage.body.properties

const MembersParams = Closed({ spaceId, ...Paging })
const ReadParams = Closed({ spaceId, ...listMessages.querystring.properties })
const PostParams = Closed({
  spaceId,
  content,
  replyToId,
  mentions,
  key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,100}$',
      description: 'The same key in the same space is the same message: for calls that are made again'
    })
  )
})

/** Which spaces there are: of a grant that was narrowed, those that it names. */
export const listCapability = ({ spaceService }: { spaceService: SpaceService }): Capability<Paging> => ({
  title: 'List spaces',
  description:
    'The spaces that the caller is a member of, newest first, in pages, of which some may be empty',
  risk: 'low',
  reaches: 'Reads the names of the spaces that you are a member of',
  narrows: { to: 'spaces' },
  params: Closed(Paging),
  result: Page(Type.Pick(Space, ['id', 'name', 'description', 'visibility', 'role'])),
  idempotent: true,
  async call(by, query, { grant: { spaces } }) {
    const { data, nextCursor } = await spaceService.list(by, query)
    return { data: data.filter(({ id }) => !spaces || spaces.includes(id)), nextCursor }
  }
})

export const listMembersCapability = ({
  memberService
}: {
  memberService: MemberService
}): Capability<Static<typeof MembersParams>> => ({
  title: 'List members of a space',
  description: 'The people and agents in a space, newest first, in pages',
  risk: 'medium',
  reaches: 'Reads who is in the spaces that you are a member of, and who is there now',
  narrows,
  params: MembersParams,
  result: Page(Type.Pick(Member, ['id', 'subjectType', 'subjectId', 'role', 'name', 'answers', 'isPresent'])),
  idempotent: true,
  call: (by, { spaceId, ...page }) => memberService.list(by, spaceId, page)
})

export const readCapability = ({
  messageService
}: {
  messageService: MessageService
}): Capability<Static<typeof ReadParams>> => ({
  title: 'Read messages of a space',
  description: 'What was said in a space, newest first, in pages',
  risk: 'high',
  reaches: 'Reads what people and agents say in the spaces that you are a member of',
  narrows,
  params: ReadParams,
  result: Page(Message),
  idempotent: true,
  call: (by, { spaceId, ...query }) => messageService.list(by, spaceId, query)
})

export const postCapability = ({
  messageService,
  answerStore
}: {
  messageService: MessageService
  answerStore: AnswerStore
}): Capability<Static<typeof PostParams>> => ({
  title: 'Post to a space',
  description:
    'Posts a message as the caller, which agents in the space answer as if the caller had posted it',
  risk: 'high',
  reaches: 'Speaks in your name in spaces that you are a member of, where agents may act on what it says',
  narrows,
  params: PostParams,
  result: Message,
  async call(by, { spaceId, key, ...message }, { appId, depth, runId }) {
    // Within an answer of an agent it is a turn of the same exchange, so that the caps of that hold.
    const answer = runId === undefined ? undefined : await answerStore.findOfRun(by.project, runId)
    const { subjectType, subjectId } = subjectOf(by)
    const origin = {
      turn: depth,
      ...(answer && { rootId: answer.rootId }),
      ...(key !== undefined && { key: `app/${appId}/${spaceId}/${subjectType}/${subjectId}/${key}` })
    }
    return messageService.post(by, spaceId, message, { origin })
  }
})
