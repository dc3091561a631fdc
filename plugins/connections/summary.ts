import type { Connection, ConnectionRow } from './schemas/connections.ts'

/** A connection as its owner sees it, and facts tell of it: nothing of its tokens. */
export const shown = (row: ConnectionRow): Connection => ({
  id: row.id,
  owner: row.owner,
  providerKey: row.providerKey,
  name: row.name,
  account: row.account,
  scopes: row.scopes,
  status: row.status,
  statusReason: row.statusReason,
  expiresAt: row.expiresAt,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})
