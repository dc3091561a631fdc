import type { StoredCredential } from './grants.ts'
import { scopesOf } from './grants.ts'

/** A key as its principal sees it. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** What it may: of a key that was not narrowed, all that its project holds. */
  readonly scopes: readonly string[]
  /** ISO 8601, as the times below. */
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

export const apiKeyOf = (stored: StoredCredential): ApiKey => ({
  id: stored.id,
  name: stored.name,
  prefix: stored.prefix,
  scopes: scopesOf(stored),
  createdAt: new Date(stored.createdAt).toISOString(),
  lastUsedAt: iso(stored.lastUsedAt),
  revokedAt: iso(stored.revokedAt)
})

const iso = (time: string | Date | null): string | null =>
  time === null ? null : new Date(time).toISOString()
