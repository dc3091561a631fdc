import type { Principal } from '../ownership.ts'
import type { KeyKind } from './keys.ts'
import { ADMIN_SCOPE, isProjectScope } from './scopes.ts'

/** What a credential gives to whoever holds it. */
export interface Grant {
  /** The credential's id. */
  readonly credential: string
  readonly principal: Principal
  /** When it stops being good, in milliseconds since 1970; absent where only revoking ends it. */
  readonly expiresAt?: number
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
  /** null: all of the project's. */
  readonly scopes: readonly string[] | null
  readonly admin: boolean
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
export function scopesOf({
  scopes,
  admin,
  projectScopes
}: Pick<StoredCredential, 'scopes' | 'admin' | 'projectScopes'>): readonly string[] {
  const held =
    scopes?.filter((scope) => !isProjectScope(scope) || projectScopes.includes(scope)) ?? projectScopes
  return admin && !held.includes(ADMIN_SCOPE) ? [...held, ADMIN_SCOPE] : held
}

/** The grant of a stored credential; undefined where it was revoked, has expired or its principal is disabled. */
export function grantOf(
  credential: StoredCredential,
  principal: StoredPrincipal,
  now: number
): Grant | undefined {
  const expiresAt = credential.expiresAt === null ? undefined : new Date(credential.expiresAt).getTime()
  if (credential.revokedAt !== null || principal.disabledAt !== null) return undefined
  if (expiresAt !== undefined && expiresAt <= now) return undefined
  const initiator = credential.initiator ?? undefined
  return {
    credential: credential.id,
    principal: {
      id: credential.principal,
      type: principal.type,
      project: credential.project,
      ...(initiator !== undefined && { initiator }),
      owner: initiator ?? principal.owner,
      scopes: new Set(scopesOf(credential)),
      narrowed: credential.scopes !== null,
      credential: credential.id
    },
    ...(expiresAt !== undefined && { expiresAt })
  }
}

/**
 * The grant of an access token, after what is stored of its principal: an agent's owner, and undefined where
 * the principal is disabled or of another type.
 */
export function grantOfToken(grant: Grant, stored: StoredPrincipal | undefined): Grant | undefined {
  if (!stored) return grant
  if (stored.disabledAt !== null || stored.type !== grant.principal.type) return undefined
  return { ...grant, principal: { ...grant.principal, owner: stored.owner } }
}
