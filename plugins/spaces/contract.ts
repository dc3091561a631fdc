import type { StoredMember } from './schemas/members.ts'
import type { StoredSpace } from './schemas/spaces.ts'

type Membership = Pick<StoredMember, 'id' | 'spaceId' | 'subjectType' | 'subjectId' | 'role'>
/** Never what was said. */
interface AboutMessage {
  readonly id: string
  readonly spaceId: string
}

declare module 'agent-platform' {
  interface Facts {
    'spaces.created': StoredSpace
    'spaces.updated': StoredSpace
    'spaces.deleted': { id: string }
    'spaces.member_added': Membership
    'spaces.member_updated': Membership
    'spaces.member_removed': Membership
    'spaces.message_posted': AboutMessage
    'spaces.message_edited': AboutMessage
    'spaces.message_deleted': AboutMessage
  }
}
