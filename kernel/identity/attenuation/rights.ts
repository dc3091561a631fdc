/** What a token took away from the credential that it was made of, all blocks together. JSON: runs keep it. */
export interface Attenuation {
  /** Names the token; no secret. */
  readonly id: string
  /** Ids of the keys that it was made of: what it began ends with them. Left out in what was kept before they were. */
  readonly keys?: readonly string[]
  /** In milliseconds since 1970. */
  readonly endsAt?: number
  /** Of the scopes that are left, those that the credential holds by its list. Set where scopes were taken away. */
  readonly held?: readonly string[]
  /** Ids. Left out: no agent is taken away. */
  readonly agents?: readonly string[]
  /** A tool has to be in each of these lists, by its name or id. */
  readonly tools?: readonly (readonly string[])[]
  /** A host has to be within each of these lists. */
  readonly hosts?: readonly (readonly string[])[]
  /** What may be spent for each block that says so: counted by its id, by all tokens that have it. They end at `endsAt`. */
  readonly spend?: readonly { readonly id: string; readonly limit: string; readonly endsAt?: number }[]
}

/** Who asks, or whoever acts for that one. */
interface Attenuated {
  readonly attenuation?: Attenuation
}

/** Whether a row of that id, or of that agent, is one of the agents that a token leaves; all are for who has none. */
export const isWithinAgents = (
  { attenuation }: Attenuated,
  { id, agentId }: { readonly id?: string; readonly agentId?: string | null }
): boolean =>
  attenuation?.agents === undefined ||
  (id !== undefined && attenuation.agents.includes(id)) ||
  (agentId != null && attenuation.agents.includes(agentId))

/** What says of a tool whether runs of tokens may call it. */
export interface ForTokens {
  readonly id?: string
  readonly name: string
  /**
   * It makes nothing that acts by itself, later or as someone else. `hosts`: and it connects to what `mayReach` allows, and to
   * nothing else. Left out: runs of tokens do not call it.
   */
  readonly tokens?: 'calls' | 'hosts' | undefined
}

/** Whether a tool may be called: it is safe in runs of tokens, and each list has its name or id. */
export function mayCall({ attenuation }: Attenuated, { id, name, tokens }: ForTokens): boolean {
  if (!attenuation) return true
  if (tokens === undefined || (attenuation.hosts && tokens !== 'hosts')) return false
  const isListed = (list: readonly string[]) => list.includes(name) || (id !== undefined && list.includes(id))
  return attenuation.tools?.every(isListed) ?? true
}

/** Whether a tool may connect to an address; a name without a port is the one of its protocol. */
export function mayReach({ attenuation }: Attenuated, url: URL): boolean {
  if (!attenuation?.hosts) return true
  const { protocol, port } = url
  const number = port || (protocol === 'http:' ? '80' : '443')
  const name = url.hostname.replace(/\.$/, '')
  const isListed = (permitted: string) => {
    const [, host = '', its = '443'] = /^(.*?)(?::(\d+))?$/.exec(permitted) ?? []
    const isHost = host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host
    return isHost && its === number
  }
  return attenuation.hosts.every((list) => list.some(isListed))
}
