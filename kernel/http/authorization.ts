import { forbidden, invalid } from '../contract/errors.ts'
import type { Attenuation } from '../identity/attenuation/rights.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Need } from '../identity/scopes.ts'
import { needOf } from '../identity/scopes.ts'
import type { Access } from './access.ts'

const INITIATOR = /^[\x21-\x7e]{1,128}$/

/** What a route or a socket asks of a principal. */
export interface Wanted {
  readonly need: Need
  readonly principals: Access['principals']
  readonly tokens: Access['tokens']
  /** The limit of its own that it has, by name. */
  readonly sensitive: string | undefined
}

/** Throws where it names a scope that no credential can hold. */
export const wantedOf = (
  method: string,
  path: string,
  { scope, principals, limit, tokens }: Pick<Access, 'scope' | 'principals' | 'limit' | 'tokens'>
): Wanted => ({
  need: needOf(method, path, scope),
  principals,
  tokens,
  sensitive: limit === 'sensitive' ? `${method} ${path}` : undefined
})

/** The principal as it acts here, for its initiator where a service names one; 403 for what it may not. */
export function authorize(
  principal: Principal,
  initiator: unknown,
  { need, principals, tokens }: Wanted
): Principal {
  const acting = initiator === undefined ? principal : actingFor(principal, initiator)
  checkScope(acting, need)
  if (acting.attenuation) checkToken(acting.attenuation, tokens)
  if (principals && !principals.includes(acting.type))
    throw forbidden(
      `A principal of type ${acting.type} cannot call this endpoint. Allowed: ${principals.join(', ')}.`,
      {
        code: `${acting.type}_principal`
      }
    )
  return acting
}

function actingFor(principal: Principal, initiator: unknown): Principal {
  if (principal.type !== 'service')
    throw forbidden('Only a service can act on behalf of others (x-initiator)', { code: 'initiator_refused' })
  if (typeof initiator !== 'string' || !INITIATOR.test(initiator))
    throw invalid('x-initiator', 'x-initiator must be 1 to 128 visible ASCII characters')
  if (principal.initiator !== undefined && principal.initiator !== initiator)
    throw forbidden('This credential acts on behalf of another initiator', { code: 'initiator_refused' })
  return { ...principal, initiator, owner: initiator }
}

/** What no route says is safe, is not: a token would be widened by it, or outlived. */
function checkToken({ agents }: Attenuation, tokens: Access['tokens']): void {
  if (tokens === 'agents' || (tokens === 'whole' && !agents)) return
  const text = tokens
    ? 'This endpoint does not accept tokens that are limited to specific agents'
    : 'This endpoint does not accept tokens. Use an API key.'
  throw forbidden(text, { code: 'token_refused' })
}

function checkScope({ scopes, narrowed, attenuation }: Principal, { any, always }: Need): void {
  if (any.length === 0 || (!always && !narrowed)) return
  // What ownership gave to the credential is not what a route asks of every one.
  const held = always ? attenuation?.held : undefined
  for (const scope of any) if (scopes.has(scope) && (!held || held.includes(scope))) return
  throw forbidden(`The credential lacks the scope ${any.join(' or ')}`, { code: 'scope_missing' })
}
