import { timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { forbidden, invalid, notFound } from '../contract/errors.ts'
import { newId, typeOfId } from '../contract/ids.ts'
import type { Paging } from '../contract/schemas.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Signals } from '../events/signals.ts'
import { createAttenuatedTokens } from './attenuation/attenuated-tokens.ts'
import { isToken, rootOf } from './attenuation/chain.ts'
import type { NewCredential, Revoked } from './credential-store.ts'
import { createCredentialStore } from './credential-store.ts'
import type { ApiKey, Grant } from './grants.ts'
import { apiKeyOf, grantOf } from './grants.ts'
import { hashKey, isKey, makeKey } from './keys.ts'
import type { Principal } from './ownership.ts'
import type { OwnerOfAgent } from './project-keys.ts'
import { createProjectKeys } from './project-keys.ts'
import { ADMIN_SCOPE, isProjectScope, isScope, listed } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/** Keys of principals, and short-lived credentials for what calls back. */
export interface Credentials {
  /**
   * A new key of the caller's own principal; `key` is shown here alone. Without `scopes` it may what the
   * caller's credential may, except `platform:admin`. 400 for what is no scope, 403 for one that the caller
   * has not. It is revoked together with the credential that made it, and does not outlive that one's end: a key
   * made with an access token is good for no longer than the token.
   * `also` runs in the same transaction, as below.
   */
  issue(
    as: Principal,
    key: { name: string; scopes?: readonly string[] },
    also?: (trx: Trx, key: ApiKey) => Promise<void>
  ): Promise<ApiKey & { key: string }>
  /** The keys of the caller's own principal, revoked ones too, newest first. */
  list(by: Principal, page: Paging): Promise<{ data: ApiKey[]; nextCursor: string | null }>
  /** Revokes one of them, and what was made with it. 404 where there is none any more, 403 where it is another's. */
  revokeKey(
    by: Principal,
    id: string,
    also?: (trx: Trx, revoked: readonly string[]) => Promise<void>
  ): Promise<void>
  /**
   * A token that acts as this principal for some seconds, and no longer than the credential that made it, with which it is
   * revoked. With `null` for scopes it may all that the caller's credential may; `platform:admin` too, unless that is a narrowed
   * access token. 403 for a scope that the principal has not, and `revoked` where that credential or the principal is good for
   * nothing any more.
   */
  mint(as: Principal, scopes: readonly string[] | null, seconds: number): Promise<Minted>
  /** Revokes any stored credential, and what was made with it. */
  revoke(id: string): Promise<void>
  /** Revokes all credentials of a principal that is gone. */
  revokePrincipal(project: string, principal: string): Promise<void>
}

/** A short-lived credential. */
export interface Minted {
  readonly id: string
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** Credentials as the kernel has them. */
export type KernelCredentials = ReturnType<typeof createCredentials>

interface Options {
  readonly knex: Knex
  readonly signals: Pick<Signals, 'send' | 'on'>
  readonly tokens: Tokens
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  readonly ownerOfAgent?: OwnerOfAgent
}

const REVOKED = 'credentials.revoked'
/** So many ids fit into one signal. */
const BATCH = 100

export function createCredentials({ knex, signals, tokens, transaction, ownerOfAgent }: Options) {
  const store = createCredentialStore(knex)

  async function resolveKey(key: string): Promise<Grant | undefined> {
    const hash = hashKey(key)
    const found = await store.findByHash(hash)
    if (!found || !timingSafeEqual(found.hash, hash)) return undefined
    if (found.root === null && found.kind !== 'minted') await store.updateRoot(found, rootOf(key))
    return grantOf(found)
  }

  const attenuatedTokens = createAttenuatedTokens(async (root) => {
    const found = await store.findByRoot(root)
    return found && grantOf(found)
  })

  /** What is stored of the principal and its project decides whether it is disabled and has that type; an agent must be there. */
  async function resolveToken(token: string): Promise<Grant | undefined> {
    const grant = await tokens.verify(token)
    if (!grant) return undefined
    const { principal } = grant
    const { project, id, type } = principal
    const stored = await store.findPrincipal(project, id)
    if (stored && (stored.disabledAt !== null || (stored.type ?? type) !== type)) return undefined
    if (type !== 'agent') return grant
    const owner = await ownerOfAgent?.(project, id)
    return owner === undefined ? undefined : { ...grant, principal: { ...principal, owner } }
  }

  type Draft = Pick<NewCredential, 'kind' | 'name' | 'expiresAt' | 'scopes' | 'admin' | 'narrowed'>

  /** Stores a credential of `as`, and its project and principal where they were known from a token alone. */
  async function add(as: Principal, draft: Draft, also?: (trx: Trx, key: ApiKey) => Promise<void>) {
    const { project, id, type, initiator } = as
    if (as.attenuation) throw forbidden('A token makes no credentials', { code: 'token_refused' })
    const { key, prefix, hash, root } = makeKey(draft.kind === 'minted' ? 'apt_' : 'apk_')
    const expiresAt = soonest(draft.expiresAt, as.token && new Date(as.token.endsAt))
    const credential = {
      ...draft,
      expiresAt,
      id: newId('key'),
      prefix,
      hash,
      root,
      initiator
    }
    return transaction(async (trx) => {
      await store.ensureProject(trx, project)
      const owner = type === 'agent' ? as.owner : id
      const stored = await store.ensurePrincipal(trx, { project, id, type, owner, name: id })
      const able = stored.type === type && stored.disabledAt === null
      const made =
        able && (await store.insert(trx, { ...credential, project, principal: id, madeWith: as.credential }))
      if (!made)
        throw forbidden('Cannot create the key: its principal is disabled, or this credential is revoked', {
          code: 'revoked'
        })
      await also?.(trx, apiKeyOf(made))
      return { made, key }
    })
  }

  /** Looks again until nothing is left: what was made meanwhile is then visible, and nothing can follow. */
  async function revoke(
    of: Revoked,
    also?: (trx: Trx, ids: readonly string[]) => Promise<void>
  ): Promise<void> {
    for (;;) {
      const ids = await transaction(async (trx) => {
        const revoked = await store.revokeTree(trx, of)
        if (revoked.length > 0) await also?.(trx, revoked)
        return revoked
      })
      if (ids.length === 0) return
      tell(ids)
    }
  }

  const tell = (ids: readonly string[]): void => {
    for (let at = 0; at < ids.length; at += BATCH) signals.send(REVOKED, ids.slice(at, at + BATCH))
  }

  /** The same with the caller's transaction, which then holds what is revoked: nothing can be made with it meanwhile. */
  async function revokeWithin(trx: Trx, of: Revoked): Promise<readonly string[]> {
    const ids: string[] = []
    for (let before = -1; before < ids.length; ) {
      before = ids.length
      ids.push(...(await store.revokeTree(trx, of)))
    }
    afterCommit(trx, () => tell(ids))
    return ids
  }

  const own: Credentials = {
    async issue(as, { name, scopes }, also) {
      if (scopes) checkScopes(as, scopes)
      const draft = { kind: 'principal', name, ...listed(scopes ?? inherited(as)) } as const
      const { made, key } = await add(as, draft, also)
      return { ...apiKeyOf(made), key }
    },

    async list(by, page) {
      const { data, nextCursor } = await store.listKeys(by, page)
      return { data: data.map(apiKeyOf), nextCursor }
    },

    async revokeKey(by, id, also) {
      const key = typeOfId(id) === 'key' ? await store.find(id) : undefined
      if (!key || key.kind === 'minted') throw notFound('API key')
      const own = key.project === by.project && key.principal === by.id
      if (!own || (by.initiator !== undefined && key.initiator !== by.initiator))
        throw forbidden('You do not have access to this API key', { code: 'not_owner' })
      await revoke({ id }, also)
      if (key.revokedAt !== null) throw notFound('API key')
    },

    async mint(as, scopes, seconds) {
      if (scopes) checkScopes(as, scopes)
      const expiresAt = new Date(Date.now() + seconds * 1000)
      const may = scopes ? listed(scopes) : whole(as)
      const { made, key } = await add(as, { kind: 'minted', name: 'minted', ...may, expiresAt })
      return { id: made.id, token: key, expiresAt: new Date(made.expiresAt ?? expiresAt).toISOString() }
    },

    revoke: (id) => revoke({ id }),
    revokePrincipal: (project, principal) => revoke({ project, principal })
  }
  return {
    ...own,
    /** Revokes one credential or all of a principal, and what was made with them. */
    revokeTree: revoke,
    revokeWithin,
    /** A project key for the operator, whole. */
    createKey: createProjectKeys(knex, ownerOfAgent),
    /** Who holds a key or token, and notes that it is used; undefined where it is good for nothing. */
    resolve(token: string): Promise<Grant | undefined> {
      if (isToken(token)) return attenuatedTokens.resolve(token)
      return isKey(token) ? resolveKey(token) : resolveToken(token)
    },
    /** Hears the ids of credentials that were revoked, here or on another instance. */
    onRevoked: (hear: (ids: readonly string[]) => void) =>
      signals.on(REVOKED, (ids) => hear(ids as readonly string[])),
    /** Those of these credentials that were revoked, perhaps while nothing was heard. */
    listRevoked: store.listRevoked,
    /** Removes what expired long ago. To be called every hour. */
    prune: store.prune
  }
}

const soonest = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  a && b && b < a ? b : (a ?? b)

/** What a key gets that asks for nothing: null, all of the project's, where `as` holds all of them. */
const inherited = ({ scopes, narrowed, token }: Principal): string[] | null =>
  narrowed || token ? [...scopes].filter((scope) => scope !== ADMIN_SCOPE && isScope(scope)) : null

/**
 * What a token gets that may all that `as` may: where ownership decides about `as`, it decides about that as well. The access token
 * of an application makes nothing with `platform:admin`, of which nobody could tell any more that it is an application's.
 */
const whole = (as: Principal) => ({
  scopes: inherited(as),
  admin: as.scopes.has(ADMIN_SCOPE) && !(as.token && as.narrowed),
  narrowed: as.narrowed
})

/** 400 for a text that is no scope, 403 for a scope that `as` cannot hand on. */
function checkScopes({ scopes, narrowed }: Principal, wanted: readonly string[]): void {
  const unknown = wanted.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw invalid(`/scopes/${unknown}`, 'Not a scope')
  const byOwnership = (scope: string) => !narrowed && scope !== ADMIN_SCOPE && !isProjectScope(scope)
  const lacking = wanted.find((scope) => !scopes.has(scope) && !byOwnership(scope))
  if (lacking) throw forbidden(`This credential does not have ${lacking}`, { param: '/scopes' })
}
