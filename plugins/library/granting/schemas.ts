import { Data, Deleted, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const Level = Type.Enum(['read', 'write', 'manage'])
export type Level = Static<typeof Level>

const NewGrant = Type.Object(
  {
    subjectType: Type.Enum(['user', 'agent', 'service', 'project']),
    subjectId: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Of a project: its id' }),
    level: {
      ...Level,
      description:
        'Each holds the ones before it: `read` also previews and downloads, `write` renames and describes, `manage` deletes, shares and grants'
    }
  },
  { title: 'NewLibraryGrant' }
)
const Grant = Type.Object(
  {
    id: Type.String({ examples: ['grant_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The item’s' }),
    itemId: Type.String(),
    ...NewGrant.properties,
    grantedBy: Type.String(),
    version: Type.Integer({ description: 'Counts edits; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'LibraryGrant' }
)
export const grants = table('library.item_grant', Grant, { type: 'grant', what: 'Library grant' })
export type Grant = Static<typeof Grant>
export type NewGrant = Static<typeof NewGrant>

const tags = ['library']
const params = Type.Object({ itemId: Type.String() })
export const listGrants = {
  tags,
  summary: 'List who was granted the item',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Grant) }
}
export const grantAccess = {
  tags,
  summary: 'Grant access',
  description: '200 where the subject had a grant, which then has the level of this one.',
  params,
  body: NewGrant,
  response: { 200: Data(Grant), 201: Data(Grant) }
}
export const revokeAccess = {
  tags,
  summary: 'Revoke access',
  params: Type.Object({ itemId: Type.String(), grantId: Type.String() }),
  response: { 200: Deleted }
}
