import type { PersonRow } from './stores/people.ts'

/** What an application asks for that operators alone may grant. */
export const OPERATORS = 'platform:admin'
export const isFor =
  ({ isOperator }: PersonRow) =>
  (scope: string): boolean =>
    isOperator || scope !== OPERATORS

/** What was not granted before. */
export function wantedIn(details: Readonly<Record<string, unknown>>) {
  const listOf = (value: unknown): readonly string[] =>
    value instanceof Set || Array.isArray(value) ? [...value].map(String) : []
  const own = listOf(details.missingOIDCScope)
  const resources = Object.entries((details.missingResourceScopes ?? {}) as Record<string, unknown>).map(
    ([resource, scopes]) => [resource, listOf(scopes)] as const
  )
  const all = [...own, ...resources.flatMap(([, scopes]) => scopes)]
  return { own, claims: listOf(details.missingOIDCClaims), resources, all }
}

/** Where a person goes on to, in its words, and where a form may lead: browsers hold redirections to it as well. */
export function targetOf(uri: unknown): { readonly formTarget?: string; readonly host?: string } {
  const { protocol, origin, host } = (typeof uri === 'string' ? URL.parse(uri) : null) ?? {}
  if (protocol === undefined || host === undefined || origin === undefined) return {}
  if (protocol !== 'https:' && protocol !== 'http:') return { formTarget: protocol, host: protocol }
  return { formTarget: origin, host }
}
