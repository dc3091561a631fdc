/** The scopes of the specification: what a project holds unless it was given fewer. */
export const SCOPES = [
  'agents:create',
  'agents:read',
  'agents:write',
  'agents:run',
  'compute:read',
  'compute:write',
  'activity:read',
  'usage:read'
] as const

/** Opens what belongs to the operator. No other scope implies it, and no project holds it. */
export const ADMIN_SCOPE = 'platform:admin'

/** What a route asks of a credential. */
export interface Need {
  /** Any of these suffices; none of them is needed where the list is empty. */
  readonly any: readonly string[]
  /** Asked of every credential; otherwise ownership decides and only a narrowed credential is asked. */
  readonly always: boolean
}

const pair = /^[a-z0-9][a-z0-9-]{0,62}:(?:read|write)$/

/** Whether a text may stand in a list of scopes: one of the eight, `platform:admin` or `<word>:read|write`. */
export const isScope = (text: string): boolean =>
  text === ADMIN_SCOPE || isProjectScope(text) || pair.test(text)

/** Whether a scope is one of the eight, which a project may lack. */
export const isProjectScope = (scope: string): boolean => (SCOPES as readonly string[]).includes(scope)

/** A list of scopes as it is stored: `platform:admin` by itself, and null for all that the project holds. */
export const listed = (scopes: readonly string[] | null): { scopes: string[] | null; admin: boolean } => ({
  scopes: scopes && [...new Set(scopes)].filter((scope) => scope !== ADMIN_SCOPE),
  admin: scopes?.includes(ADMIN_SCOPE) ?? false
})

/** What the specification asks for a route, by its method and its pattern such as `/v1/agents/:agentId`. */
export function requiredScopes(method: string, path: string): Need {
  const segments = path.split('/').filter(Boolean)
  if (segments[0] === 'v1') segments.shift()
  const [area = '', ...rest] = segments
  const reads = method === 'GET' || method === 'HEAD'
  const own = `${area}:${reads ? 'read' : 'write'}`
  switch (area) {
    case 'agents':
      return always(...ofAgents(method, reads, rest))
    case 'compute':
      return always(own)
    case 'usage':
      return always('usage:read')
    case 'activity':
      return reads ? always('activity:read') : byOwnership(own)
    case 'packs':
      return always(ADMIN_SCOPE)
    case 'credits':
      return rest[0] === 'grants' || rest[0] === 'debits' ? always(ADMIN_SCOPE) : byOwnership(own)
    case 'logs':
      return rest.length === 0 ? always(ADMIN_SCOPE) : byOwnership(own)
    case 'auth':
      return rest[0] === 'me' ? byOwnership() : byOwnership(own)
    default:
      return byOwnership(own)
  }
}

const always = (...any: readonly string[]): Need => ({ any, always: true })
const byOwnership = (...any: readonly string[]): Need => ({ any, always: false })

function ofAgents(
  method: string,
  reads: boolean,
  [first, second, third]: readonly string[]
): readonly string[] {
  // Whoever may run an agent may not approve what it does.
  if (first === 'runs' && third === 'approvals') return [reads ? 'agents:read' : 'agents:write']
  if (first === 'runs') return [reads ? 'agents:read' : 'agents:write', 'agents:run']
  if (reads) return ['agents:read']
  if (method !== 'POST') return ['agents:write']
  if (first === undefined) return ['agents:create']
  if (first === 'cli-tool-result') return ['agents:write', 'agents:run']
  if (first === 'run' || (second === 'trigger' && third === undefined)) return ['agents:run']
  return ['agents:write']
}
