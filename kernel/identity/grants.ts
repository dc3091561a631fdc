import type { KeyKind } from './keys.ts'
import type { Principal } from './ownership.ts'
import { ADMIN_SCOPE, isProjectScope } from './scopes.ts'

/** What a credential gives to its holder. */
export interface Grant {
  /** The credential's id. */
  readonly credential: string
  readonly principal: Principal
  /** When it stops being good, in milliseconds since 1970; absent where only revoking ends it. */
  readonly expiresAt?: number
}

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

/** A credential as it is stored, with the scopes of its project. */
export interface StoredCredential {
  readonly id: string
  readonly project: string
  readonly principal: string
  readonly kind: KeyKind
  readonly name: string
  readonly prefix: string
  readonly hash: Buffer
  /** Null: of a short-lived one, or of one that was made before there were tokens and has not been used since. */
  readonly root: Buffer | null
  /** null: all of the project's. */
  readonly scopes: readonly string[] | null
  readonly admin: boolean
  /** null: where `scopes` is a list. */
  readonly narrowed: boolean | null
  readonly initiator: string | null
  readonly createdAt: string | Date
  readonly expiresAt: string | Date | null
  readonly lastUsedAt: string | Date | null
  readonly revokedAt: string | Date | null
  readonly projectScopes: readonly string[]
}

/** What is stored of a principal. */
export interface StoredPrincipal {
  readonly type: Principal['type']
  readonly owner: string
  readonly disabledAt: string | Date | null
}

/** What a stored credential is good for: never one of the eight that its project lacks. */
function scopesOf({ scopes, admin, projectScopes }: StoredCredential): readonly string[] {
  const held =
    scopes?.filter((scope) => !isProjectScope(scope) || projectScopes.includes(scope)) ?? projectScopes
  return admin ? [...held, ADMIN_SCOPE] : held
}

/** The grant of a stored credential; undefined where it was revoked, has expired or its principal is disabled. */
export function grantOf(stored: StoredCredential & StoredPrincipal): Grant | undefined {
  const { id, project, principal, type, owner, scopes, initiator, narrowed } = stored
  const expiresAt = stored.expiresAt === null ? Number.POSITIVE_INFINITY : +new Date(stored.expiresAt)
  if (stored.revokedAt !== null || stored.disabledAt !== null || expiresAt <= Date.now()) return undefined
  return {
    credential: id,
    principal: {
      id: principal,
      type,
      project,
      ...(initiator !== null && { initiator }),
      owner: initiator ?? owner,
      scopes: new Set(scopesOf(stored)),
      narrowed: narrowed ?? scopes !== null,
      credential: id,
      // Of a session that was made with an access token.
      ...(narrowed === false && scopes !== null && { token: { endsAt: expiresAt } })
    },
    ...(stored.expiresAt !== null && { expiresAt })
  }
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
