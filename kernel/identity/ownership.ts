import type { Knex } from 'knex'
import { forbidden, notFound, preconditionFailed } from '../contract/errors.ts'
import type { Attenuation } from './attenuation/rights.ts'
import { isWithinAgents } from './attenuation/rights.ts'

/** Who asks, as the gateway resolved it from a credential. */
export interface Principal {
  readonly id: string
  readonly type: 'user' | 'agent' | 'service'
  readonly project: string
  /** For whom a service acts (`x-initiator`). */
  readonly initiator?: string
  /** Owner of what it makes: the initiator, an agent's owner, or itself. */
  readonly owner: string
  readonly scopes: ReadonlySet<string>
  /** Its credential was narrowed to a list of scopes, so that routes by ownership need one too. */
  readonly narrowed: boolean
  /** The credential's id: revoking it closes its streams. */
  readonly credential: string
  /**
   * Set where the credential is an access token, or may what one may: when that ends, and when the person proved who it is, where the
   * token says so (`auth_time`). In milliseconds since 1970.
   */
  readonly token?: { readonly endsAt: number; readonly authenticatedAt?: number }
  /** Set where its credential is a token that was narrowed by who holds it: what that took away. Whoever acts for it further keeps that. */
  readonly attenuation?: Attenuation
}

/** Every row of every pack carries both; `owned` and `reach` are the only places that compare them. */
export interface Owned {
  readonly project: string
  readonly owner: string
}

/** `read` and `run` leave a resource as it is; `change` does not. */
export type Verb = 'read' | 'run' | 'change'

/** What tells an agent's own rows: its own one by `id`, those it works with by `agentId`. */
interface OfAgent {
  readonly id?: string
  readonly agentId?: string | null
}

/**
 * The row, if the principal may do that with it; otherwise 404 (no such row) or 403 (someone else's, also
 * across projects). `granted` when the pack found a grant; `param` where the id came in a body.
 */
export function owned<T extends Owned>(
  by: Principal,
  row: T | undefined,
  what: string,
  verb: Verb,
  { granted = false, param }: { granted?: boolean; param?: string } = {}
): T {
  if (!row) throw notFound(what, { param })
  const isTheirs = row.project === by.project && (granted || isReached(by, row, verb))
  if (isTheirs && isWithinAgents(by, row as OfAgent)) return row
  const { id, project, owner } = row as T & OfAgent
  const refused = { what, project, owner, ...(id !== undefined && { id }) }
  if (isTheirs)
    throw forbidden(`This token does not give access to this ${inSentence(what)}`, {
      param,
      code: 'token_refused'
    })
  throw forbidden(noAccess(what), { param, code: 'not_owner', refused })
}

/** The text of a 403 whose reason the owner of the resource can read (pack `denials`). */
export const noAccess = (what: string): string =>
  `You do not have access to this ${inSentence(what)}. Its owner can look up the reason by request ID.`

/** `Agent` as `agent`, `API key` as it is. */
const inSentence = (what: string) => what.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())

/** Who asks, as far as it decides what it reaches. */
export type Asking = Pick<Principal, 'id' | 'type' | 'project' | 'owner' | 'initiator' | 'attenuation'>

/** Whether ownership allows it, and the token if it is one, within one project. */
export const reaches = (by: Asking, row: Owned & OfAgent, verb: Verb): boolean =>
  isReached(by, row, verb) && isWithinAgents(by, row)

function isReached(by: Asking, row: Owned & OfAgent, verb: Verb): boolean {
  switch (by.type) {
    case 'service':
      if (!by.initiator) return true
      return row.owner === by.initiator || (verb !== 'change' && row.owner === by.id)
    case 'agent':
      return row.id === by.id || row.agentId === by.id
    case 'user':
      return row.owner === by.id
  }
}

/** The same rule for reading as a where clause, for lists; `agent` is the column that holds the agent's id. */
export function reach<Q extends Knex.QueryBuilder>(
  by: Principal,
  query: Q,
  agent: 'id' | 'agentId' = 'agentId'
): Q {
  query.where('project', by.project)
  if (by.type === 'user') query.where('owner', by.id)
  else if (by.type === 'agent') query.where(agent, by.id)
  else if (by.initiator) query.whereIn('owner', [by.initiator, by.id])
  if (by.attenuation?.agents) query.whereIn(agent, by.attenuation.agents)
  return query
}

/**
 * 403 unless the principal may list what belongs to `owner` (`?owner=`, `:initiator` and the like). `granted` when the
 * pack found something of that owner that was granted.
 */
export function reachOwner(by: Principal, owner: string, param: string, { granted = false } = {}): string {
  const { type, initiator, id } = by
  const isIts = type === 'service' ? !initiator || owner === initiator || owner === id : owner === by.owner
  if (by.attenuation?.agents)
    throw forbidden('This token is limited to specific agents and cannot list resources by owner', {
      param,
      code: 'token_refused'
    })
  if (isIts || granted) return owner
  throw forbidden('You do not have access to resources of this owner', { param, code: 'not_owner' })
}

/** The row that an update returned. Where there was none: 412 if it had to have a version, else it just went, 404. */
export function current<T>(row: T | undefined, what: string, version: number | undefined): T {
  if (row !== undefined) return row
  if (version === undefined) throw notFound(what)
  throw preconditionFailed(
    'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
  )
}
