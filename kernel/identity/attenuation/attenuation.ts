import type { Principal } from '../ownership.ts'
import { ADMIN_SCOPE, isProjectScope } from '../scopes.ts'
import type { Block } from './chain.ts'
import type { Restrictions } from './restrictions.ts'
import type { Attenuation } from './rights.ts'

/** The principal with what the blocks leave of it: each takes away, and none gives. */
export function attenuated(principal: Principal, blocks: readonly Block[]): Principal {
  const all = <K extends keyof Restrictions>(name: K, of = blocks) =>
    of.flatMap(({ restrictions: { [name]: value } }) => (value === undefined ? [] : [value])) as NonNullable<
      Restrictions[K]
    >[]
  const endOf = (of: readonly Block[]) => Math.min(...all('expires', of).map((time) => Date.parse(time)))
  const until = (end: number) => Number.isFinite(end) && { endsAt: end }
  const scopes = all('scopes')
  const [agents, tools, hosts] = [all('agents'), all('tools'), all('hosts')]
  const spend = blocks.flatMap(({ id, restrictions: { spend: limit } }, at) =>
    limit === undefined ? [] : [{ id, limit, ...until(endOf(blocks.slice(0, at + 1))) }]
  )
  const left = scopes.length > 0 ? scopesLeft(principal, scopes) : undefined
  const attenuation: Attenuation = {
    id: blocks.at(-1)?.id ?? '',
    keys: [principal.credential],
    ...until(endOf(blocks)),
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
