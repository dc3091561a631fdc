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

/**
 * What a route needs: any of the scopes that it names, of every credential. One that names none goes by ownership, and
 * asks a narrowed credential for the pair of its area: `/v1/goals/:goalId` for `goals:read` or `goals:write`. Throws where
 * it names one that no credential can hold.
 */
export function needOf(method: string, path: string, scope?: readonly string[]): Need {
  const unknown = scope?.find((name) => !isScope(name))
  if (unknown !== undefined) throw new Error(`${method} ${path} needs ${unknown}, which is no scope`)
  if (scope) return { any: scope, always: true }
  const [area = ''] = path
    .replace(/^\/v1\//, '/')
    .split('/')
    .filter(Boolean)
  return { any: [`${area}:${method === 'GET' || method === 'HEAD' ? 'read' : 'write'}`], always: false }
}
