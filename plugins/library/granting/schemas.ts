import type { GrantOf } from 'agent-platform'
import { grantTable } from 'agent-platform'

export const grants = grantTable('library.item_grant', {
  of: 'itemId',
  noun: 'item',
  title: 'LibraryGrant',
  tag: 'library',
  levels: ['read', 'write', 'manage'],
  description:
    'Each holds the ones before it: `read` also previews and downloads, `write` renames and describes, `manage` deletes, shares and grants'
})
export type Grant = GrantOf<typeof grants>
