import type { Json, Route } from './route.ts'
import { isPublic } from './route.ts'

export const securitySchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'A project key (`ap_live_…`, `ap_test_…`), a key of a principal (`apk_…`), or a JWT access token;',
      'or a token (`apn_…`) that the holder of a key narrowed further, without asking the server.',
      'A service may act for someone else by the header `x-initiator`.',
      'A credential may be narrowed to a list of scopes; routes that go by ownership then need one too,',
      'named after the first part of their path: `goals:read` to read, `goals:write` to change.'
    ].join(' ')
  }
}

/** The credential that a route asks for; scopes that stand beside each other are alternatives. */
export function securityOf(route: Route): Json[] {
  if (route.access.by === 'optional') return [{}, { bearer: [] }]
  if (route.access.by) return []
  const { any, always } = route.need
  return always && any.length > 0 ? any.map((scope) => ({ bearer: [scope] })) : [{ bearer: [] }]
}

/** What a caller has to bring, in words. */
export function accessOf(route: Route): string {
  if (isPublic(route)) return 'Takes no credential.'
  if (route.access.by === 'optional') return 'Takes a credential, and needs none.'
  if (route.access.by) return 'The path or the query is the credential.'
  const { any, always } = route.need
  const scopes = any.map((scope) => `\`${scope}\``).join(' or ')
  if (!scopes) return 'Needs a credential.'
  return always
    ? `Needs the scope ${scopes}.`
    : `Goes by ownership; a credential that was narrowed to a list of scopes needs ${scopes}.`
}

/** What tokens may do that holders of keys narrowed, in words. */
export function tokensOf({ access: { tokens } }: Route): string | undefined {
  if (!tokens) return undefined
  const some =
    tokens === 'agents' ? ', also for one that is for some agents alone' : ' that is for all agents'
  return `Serves a token that was narrowed from a key${some}.`
}
