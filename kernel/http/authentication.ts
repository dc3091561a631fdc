import { notFound, unauthenticated } from '../contract/errors.ts'
import type { Grant } from '../identity/grants.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Excluded } from '../identity/projects.ts'
import { isOf } from '../identity/projects.ts'
import type { Bucket, Limits } from '../limits/limits.ts'
import type { Asked, Identify } from './access.ts'

/** How long a credential may be believed without asking; revoking it ends that at once. */
const BELIEVE_MS = 30_000
const MAX_ENTRIES = 10_000

export interface Options {
  resolve(token: string): Promise<Grant | undefined>
  readonly limits: Limits
  /** False while revocations by other instances would not be heard. */
  believing(): boolean
  /** Set when authentication is switched off: everyone is this one. */
  readonly localUser?: Principal
}

/** A credential that was found good, with the allowance of its project. */
export interface Entry {
  readonly grant: Grant
  readonly until: number
  readonly bucket: Bucket
}

/** Whose a credential is, from memory where it is believed. */
export function createAuthentication({ resolve, limits, believing, localUser }: Options) {
  /** The oldest first: none is believed for long, so that order of use would gain nothing. */
  const entries = new Map<string, Entry>()
  let revocations = 0

  const newEntry = (grant: Grant): Entry => ({
    grant,
    until: Math.min(Date.now() + BELIEVE_MS, grant.expiresAt ?? Number.POSITIVE_INFINITY),
    bucket: limits.bucket('gateway', grant.principal.project)
  })
  const local = localUser && newEntry({ credential: 'local', principal: localUser })

  function believe(authorization: string, entry: Entry): void {
    entries.delete(authorization)
    entries.set(authorization, entry)
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
  }

  return {
    /** Set when authentication is switched off. */
    local,

    /** Without asking; undefined where that has to be done. */
    believed(authorization: string | undefined): Entry | undefined {
      if (local) return local
      const entry = authorization === undefined ? undefined : entries.get(authorization)
      if (entry && entry.until > Date.now() && believing()) return entry
    },

    /** 401 where it is good for nothing. */
    async look(authorization: string | undefined): Promise<Entry> {
      const token = authorization && /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(authorization)?.[1]
      if (!authorization || !token) throw unauthenticated('A bearer credential is required')
      const before = revocations
      const grant = await resolve(token)
      if (!grant) throw unauthenticated('The API key or access token is invalid, expired or revoked')
      const entry = newEntry(grant)
      if (before === revocations) believe(authorization, entry)
      return entry
    },

    /** By what the route has instead of a bearer credential. */
    async identify(by: Identify, asked: Asked): Promise<Entry> {
      // Before they are validated: no text in a database has it.
      if (Object.values(asked.params as object).some((value) => String(value).includes('\0')))
        throw notFound('Resource')
      const principal = await by(asked)
      return newEntry({ credential: principal.credential, principal })
    },

    /** Of a user of a project, and of its agents. */
    forgetUser({ project, user }: Excluded): void {
      revocations++
      for (const [authorization, { grant }] of entries.entries())
        if (isOf(grant.principal, { project, user })) entries.delete(authorization)
    },

    /** Credentials that were revoked; all of them where it is not known which. */
    forget(credentials?: readonly string[]): void {
      revocations++
      if (!credentials) {
        entries.clear()
        return
      }
      const gone = new Set(credentials)
      for (const [authorization, { grant }] of entries.entries())
        if (gone.has(grant.credential)) entries.delete(authorization)
    }
  }
}
