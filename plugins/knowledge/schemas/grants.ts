import { Data, Deleted, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Level, SpaceParams } from './spaces.ts'

const NewGrant = Type.Object(
  {
    subjectType: Type.Enum(['user', 'agent', 'service', 'project']),
    subjectId: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Of a project: its id' }),
    level: {
      ...Level,
      description: 'Each holds the ones before it, for all folders and documents of the space'
    }
  },
  { title: 'NewKnowledgeGrant' }
)
export const Grant = Type.Object(
  {
    id: Type.String({ examples: ['grant_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The space’s' }),
    spaceId: Type.String(),
    ...NewGrant.properties,
    grantedBy: Type.String(),
    version: Type.Integer({ description: 'Counts edits; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'KnowledgeGrant' }
)
export const grants = table('knowledge.space_grant', Grant, { type: 'grant', what: 'Knowledge grant' })
export type Grant = Static<typeof Grant>
export type NewGrant = Static<typeof NewGrant>

const tags = ['knowledge']
export const listGrants = {
  tags,
  summary: 'List who was granted the space',
  params: SpaceParams,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Grant) }
}
export const grantAccess = {
  tags,
  summary: 'Grant access to the space',
  description: '200 where the subject had a grant, which then has the level of this one.',
  params: SpaceParams,
  body: NewGrant,
  response: { 200: Data(Grant), 201: Data(Grant) }
}
export const revokeAccess = {
  tags,
  summary: 'Revoke access to the space',
  params: Type.Object({ spaceId: Type.String(), grantId: Type.String() }),
  response: { 200: Deleted }
}
