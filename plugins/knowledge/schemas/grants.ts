import type { GrantOf } from 'agent-platform'
import { grantTable } from 'agent-platform'

export const grants = grantTable('knowledge.space_grant', {
  of: 'spaceId',
  noun: 'space',
  title: 'KnowledgeGrant',
  tag: 'knowledge',
  levels: ['read', 'write', 'manage'],
  description: 'Each holds the ones before it, for all folders and documents of the space'
})
export type Grant = GrantOf<typeof grants>
