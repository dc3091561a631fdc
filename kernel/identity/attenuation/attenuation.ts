import type { Principal } from '../ownership.ts'
import { ADMIN_SCOPE, isProjectScope } from '../scopes.ts'
import type { Block } from './chain.ts'
import type { Attenuation } from './rights.ts'

/** The principal with what the blocks leave of it: each takes away, and none gives. */
export function attenuated(principal: Principal, blocks: readonly Block[]): Principal {
  const some = <K extends keyof Block['restrictions']>(name: K) =>
    blocks.flatMap(({ id, restrictions: { [name]: value } }) => (value === undefined ? [] : [{ id, value }]))
  const ends = some('expires').map(({ value }) => Date.parse(value as string))
  const scopes = some('scopes').map(({ value }) => value as readonly string[])
  const agents = some('agents').map(({ value }) => value as readonly string[])
  const tools = some('tools').map(({ value }) => value as readonly string[])
  const hosts = some('hosts').map(({ value }) => value as readonly string[])
  const spend = some('spend').map(({ id, value }) => ({ id, limit: value as string }))
  const left = scopes.length > 0 ? scopesLeft(principal, scopes) : undefined
  const attenuation: Attenuation = {
    id: blocks.at(-1)?.id ?? '',
    ...(ends.length > 0 && { endsAt: Math.min(...ends) }),
    ...(left && { held: left.filter((scope) => principal.scopes.has(scope)) }),
    ...(agents.length > 0 && { agents: common(agents) }),
    ...(tools.length > 0 && { tools }),
    ...(hosts.length > 0 && { hosts }),
    ...(spend.length > 0 && { spend })
  }
  return { ...principal, attenuation, ...(left && { scopes: new Set(left), narrowed: true }) }
}

/** Where ownership decides, a credential has the pairs of all areas, and these alone are not in its list. */
function scopesLeft({ scopes, narrowed }: Principal, lists: readonly (readonly string[])[]): string[] {
  const byOwnership = (scope: string) => !narrowed && scope !== ADMIN_SCOPE && !isProjectScope(scope)
  return common(lists).filter((scope) => scopes.has(scope) || byOwnership(scope))
}

const common = ([first = [], ...others]: readonly (readonly string[])[]): string[] =>
  [...new Set(first)].filter((it) => others.every((list) => list.includes(it)))
