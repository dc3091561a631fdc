import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { isDatabaseAway } from '../data/connect.ts'
import type { Trx } from '../data/transaction.ts'
import { forbidden, invalid, notFound, unavailable } from '../errors.ts'
import { newId, typeOfId } from '../ids.ts'
import type { Principal } from '../ownership.ts'
import type { Paging } from '../schemas.ts'
import type { ApiKey } from './api-key.ts'
import { apiKeyOf } from './api-key.ts'
import type { NewCredential } from './credential-store.ts'
import { createCredentialStore } from './credential-store.ts'
import type { Grant, StoredCredential } from './grants.ts'
import { grantOf, grantOfToken } from './grants.ts'
import { checkKey, hashKey, makeKey, sameHash } from './keys.ts'
import { createLastUsed } from './last-used.ts'
import type { KeyOrder } from './project-keys.ts'
import { createProjectKeys } from './project-keys.ts'
import type { Signals } from './revocations.ts'
import { createRevocations } from './revocations.ts'
import { ADMIN_SCOPE, isProjectScope, isScope, listed } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/** Keys of principals, and short-lived credentials for what calls back. */
export interface Credentials {
  /**
   * A new key of the caller's own principal; `key` is shown here alone. Without `scopes` it may what the
   * caller's credential may, except `platform:admin`. 400 for what is no scope, 403 for one that the caller
   * has not. It is revoked together with the credential that made it, and does not outlive that one's end.
   * `also` runs in the same transaction, as below.
   */
  issue(
    as: Principal,
    key: { name: string; scopes?: readonly string[] },
    also?: (trx: Trx, key: ApiKey) => Promise<void>
  ): Promise<ApiKey & { key: string }>
  /** The keys of the caller's own principal, revoked ones too, newest first. */
  list(by: Principal, page: Paging): Promise<{ data: ApiKey[]; nextCursor: string | null }>
  /** Revokes one of them, and what was made with it. 404 where there is none, 403 where it is another's. */
  revokeKey(
    by: Principal,
    id: string,
    also?: (trx: Trx, revoked: readonly string[]) => Promise<void>
  ): Promise<void>
  /**
   * A token that acts as this principal for some seconds, and no longer than the credential that made it.
   * 403 for a scope that the principal has not.
   */
  mint(as: Principal, scopes: readonly string[], seconds: number): Promise<{ id: string; token: string }>
  /** Revokes any stored credential, and what was made with it. */
  revoke(id: string): Promise<void>
  /** Revokes all credentials of a principal that is gone. */
  revokePrincipal(project: string, principal: string): Promise<void>
}

export type { ApiKey, Grant }

/** Credentials as the kernel has them. */
export interface KernelCredentials extends Credentials {
  /** Who holds a key or token; undefined where it is good for nothing. 503 while the database is away. */
  resolve(token: string): Promise<Grant | undefined>
  /** A project key for the operator, whole. */
  createKey(order: KeyOrder): Promise<string>
  /** Calls `hear` with the ids of credentials that were revoked, here or on another instance. */
  onRevoked(hear: (credentialIds: readonly string[]) => void): Disposable
  /** Those of these credentials that were revoked, perhaps while nothing was heard. */
  listRevoked(ids: readonly string[]): Promise<readonly string[]>
  /** Notes that a credential is in use. Costs no query. */
  touch(credentialId: string): void
  /** Saves what was noted. */
  close(): Promise<void>
}

type Draft = Omit<NewCredential, 'project' | 'principal' | 'initiator' | 'madeWith'>

export function createCredentials({
  knex,
  signals,
  tokens,
  log,
  now = Date.now,
  transaction = (work) => knex.transaction(work)
}: {
  knex: Knex
  signals: Signals
  tokens: Tokens
  log: Pick<FastifyBaseLogger, 'warn'>
  now?: () => number
  transaction?: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
}): KernelCredentials {
  const store = createCredentialStore(knex)
  const revocations = createRevocations({ signals, transaction, revokeTree: store.revokeTree })
  const lastUsed = createLastUsed({
    log,
    now,
    async save(uses) {
      await store.saveLastUsed(uses)
      await store.removeExpired(now())
    }
  })

  async function resolve(token: string): Promise<Grant | undefined> {
    if (checkKey(token)) {
      const hash = hashKey(token)
      const found = await store.findByHash(hash)
      return found && sameHash(found.credential.hash, hash)
        ? grantOf(found.credential, found.principal, now())
        : undefined
    }
    const grant = await tokens.verify(token)
    return (
      grant && grantOfToken(grant, await store.findPrincipal(grant.principal.project, grant.principal.id))
    )
  }

  /** Stores a credential of `as`, and its project and principal where they were known from a token alone. */
  async function add(trx: Trx, as: Principal, credential: Draft): Promise<StoredCredential> {
    const { project, id, type, initiator } = as
    await store.ensureProject(trx, project, 'live')
    const owner = type === 'agent' ? as.owner : id
    const stored = await store.ensurePrincipal(trx, { project, id, type, owner, name: id })
    const made =
      stored.type === type && stored.disabledAt === null
        ? await store.insert(trx, {
            ...credential,
            project,
            principal: id,
            initiator,
            madeWith: as.credential
          })
        : undefined
    if (!made) throw forbidden('This credential may no longer make others', { code: 'revoked' })
    return made
  }

  return {
    async issue(as, { name, scopes }, also) {
      if (scopes) checkScopes(as, scopes)
      const { key, prefix, hash } = makeKey('principal', 'live')
      const id = newId('key')
      const draft = { id, kind: 'principal', name, prefix, hash, ...listed(scopes ?? inherited(as)) } as const
      const stored = await transaction(async (trx) => {
        const made = apiKeyOf(await add(trx, as, draft))
        await also?.(trx, made)
        return made
      })
      return { ...stored, key }
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
        throw forbidden('API key belongs to someone else', { code: 'not_owner' })
      await revocations.revoke({ id }, also)
    },

    async mint(as, scopes, seconds) {
      if (!(seconds > 0 && Number.isFinite(seconds))) throw new RangeError('A token lives for some seconds')
      checkScopes(as, scopes)
      const { key, prefix, hash } = makeKey('minted', 'live')
      const id = newId('key')
      const expiresAt = new Date(now() + seconds * 1000)
      const draft = {
        id,
        kind: 'minted',
        name: 'minted',
        prefix,
        hash,
        expiresAt,
        ...listed(scopes)
      } as const
      await transaction((trx) => add(trx, as, draft))
      return { id, token: key }
    },

    listRevoked: store.listRevoked,
    revoke: (id) => revocations.revoke({ id }),
    revokePrincipal: (project, principal) => revocations.revoke({ project, principal }),
    onRevoked: revocations.on,
    createKey: createProjectKeys(store, transaction),

    async resolve(token) {
      try {
        return await resolve(token)
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        throw unavailable('The database cannot be reached', { code: 'database_unavailable', cause: error })
      }
    },

    touch(credentialId) {
      if (credentialId.startsWith('key_')) lastUsed.touch(credentialId)
    },

    close: lastUsed.close
  }
}

/** What a key gets that asks for nothing: null, all of the project's, where `as` was not narrowed. */
const inherited = ({ scopes, narrowed }: Principal): string[] | null =>
  narrowed ? [...scopes].filter((scope) => scope !== ADMIN_SCOPE && isScope(scope)) : null

/** 400 for a text that is no scope, 403 for a scope that `as` cannot hand on. */
function checkScopes({ scopes, narrowed }: Principal, wanted: readonly string[]): void {
  const unknown = wanted.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw invalid(`/scopes/${unknown}`, 'Not a scope')
  const byOwnership = (scope: string) => !narrowed && scope !== ADMIN_SCOPE && !isProjectScope(scope)
  const lacking = wanted.find((scope) => !scopes.has(scope) && !byOwnership(scope))
  if (lacking) throw forbidden(`This credential does not have ${lacking}`, { param: '/scopes' })
}
