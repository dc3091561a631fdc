import { forbidden } from '../../contract/errors.ts'
import type { Principal } from '../ownership.ts'
import type { Attenuation } from './rights.ts'

/** What a token leaves to what acts later or by itself: kept beside that as JSON. */
export interface Delegation {
  readonly attenuation: Attenuation
  /** Set where its credential was narrowed to a list of scopes. */
  readonly scopes?: readonly string[]
}

/** So many tokens together restrict one thing. */
const MOST = 8

/** To be kept with what a principal makes that acts later; null: nothing is taken away. */
export const delegationOf = ({ attenuation, narrowed, scopes }: Principal): Delegation | null =>
  attenuation ? { attenuation, ...(narrowed && { scopes: [...scopes] }) } : null

/** The principal with no more than that. */
export function delegated(principal: Principal, delegation: Delegation | null): Principal {
  const own = bothOf(delegationOf(principal), delegation)
  if (!own) return principal
  const { attenuation, scopes } = own
  return { ...principal, attenuation, ...(scopes && { scopes: new Set(scopes), narrowed: true }) }
}

/** What both leave, as of a task that a token made and another one executes. 403 where too many tokens come together. */
export function bothOf(one: Delegation | null, other: Delegation | null): Delegation | null {
  if (!one || !other) return one ?? other
  const [a, b] = [one.attenuation, other.attenuation]
  const names = [...new Set([...a.id.split('+'), ...b.id.split('+')])]
  if (names.length > MOST) throw forbidden(`${MOST} tokens restrict it already`, { code: 'too_many_tokens' })
  const ends = [a.endsAt, b.endsAt].filter((end) => end !== undefined)
  const held = common(a.held, b.held)
  const agents = common(a.agents, b.agents)
  const scopes = common(one.scopes, other.scopes)
  const tools = lists(a.tools, b.tools)
  const hosts = lists(a.hosts, b.hosts)
  const spend = [...new Map([...(a.spend ?? []), ...(b.spend ?? [])].map((it) => [it.id, it])).values()]
  return {
    attenuation: {
      id: names.join('+'),
      keys: [...new Set([...(a.keys ?? []), ...(b.keys ?? [])])],
      ...(ends.length > 0 && { endsAt: Math.min(...ends) }),
      ...(held && { held }),
      ...(agents && { agents }),
      ...(tools && { tools }),
      ...(hosts && { hosts }),
      ...(spend.length > 0 && { spend })
    },
    ...(scopes && { scopes })
  }
}

type Names = readonly string[]

const common = (a: Names | undefined, b: Names | undefined): Names | undefined =>
  a && b ? a.filter((it) => b.includes(it)) : (a ?? b)

/** A name has to be in each list; the same list twice says no more. */
function lists(a: readonly Names[] = [], b: readonly Names[] = []): readonly Names[] | undefined {
  const all = new Map([...a, ...b].map((list) => [JSON.stringify(list), list]))
  return all.size > 0 ? [...all.values()] : undefined
}
