import type { MountedRoute } from '../../kernel/http/routes.ts'

/** JSON Schema, as far as it is looked at here. */
export interface Schema {
  readonly title?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly readOnly?: boolean
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** Lists that need no pages, and why. */
export const unpaged: Readonly<Record<string, string>> = {
  'GET /v1/packs': 'there are tens of packs, not thousands',
  'POST /v1/tool-permissions/batch-grant': 'it answers for each of the 100 grants that it takes at most'
}

/** Routes that speak another protocol, in their query and their reply, and which. */
const foreign: Readonly<Record<string, string>> = {
  'POST /v1/agents/:agentId/runtime/channels/:channel/:action':
    'each kind of channel checks a body of its own',
  'GET /console': 'a page: the application in the browser reads the query',
  'GET /console/*': 'a page: the application in the browser reads the query',
  'GET /v1/previews/:slug': 'a page: it reads the query itself',
  'HEAD /v1/previews/:slug': 'a page: it reads the query itself',
  'GET /v1/previews/:slug/*': 'a page: it reads the query itself',
  'HEAD /v1/previews/:slug/*': 'a page: it reads the query itself',
  'GET /console/sign-in/:method/callback': 'OAuth 2.0: the redirection of an authorization server',
  'GET /.well-known/oauth-authorization-server/identity':
    'OAuth 2.0: the metadata of an authorization server',
  'GET /identity/.well-known/openid-configuration': 'OpenID Connect: discovery',
  'GET /identity/jwks': 'OAuth 2.0: a key set',
  'GET /identity/authorize': 'OAuth 2.0: an authorization request',
  'GET /identity/authorize/:uid': 'OAuth 2.0: an authorization request that goes on',
  'GET /identity/device': 'OAuth 2.0: the page of the device flow',
  'GET /identity/device/:uid': 'OAuth 2.0: the device flow that goes on',
  'GET /identity/interaction/:uid/upstream/:key/return':
    'OAuth 2.0: the redirection of an authorization server',
  'GET /identity/upstream/:key/callback': 'OAuth 2.0: the redirection of an authorization server',
  'GET /v1/mcp/oauth/callback': 'OAuth 2.0: the redirection of an authorization server',
  'GET /v1/oauth/callback/:providerKey': 'OAuth 2.0: the redirection of an authorization server',
  'GET /v1/mcp/oauth/client.json': 'OAuth 2.0: a client id metadata document'
}

/** Packs all of whose routes speak another protocol. */
const foreignPacks: Readonly<Record<string, string>> = { openai: 'OpenAI’s API' }

export const routeName = ({ method, path }: Pick<MountedRoute, 'method' | 'path'>) => `${method} ${path}`
export const partOf = (route: MountedRoute, part: string) => route.schema[part] as Schema | undefined
export const responsesOf = (route: MountedRoute) =>
  Object.entries((route.schema.response ?? {}) as Record<string, Schema>)

/** What of a reply is JSON of ours: not bytes, pages and streams. */
export const isJson = ({ content }: Schema) => content === undefined

/** What a route of that pack does not say as every route says it. */
export function routeFaults(pack: string, route: MountedRoute): readonly string[] {
  const { schema, access, path } = route
  const at = routeName(route)
  const { summary, tags } = schema as { summary?: string; tags?: readonly string[] }
  const isForeign = Object.hasOwn(foreign, at) || Object.hasOwn(foreignPacks, pack)
  const forwards = access.body !== undefined || isForeign
  const named = [...path.matchAll(/:(\w+)|(\*)/g)].map(([, name, rest]) => name ?? rest)
  const params = Object.keys(partOf(route, 'params')?.properties ?? {})
  const answers = responsesOf(route).filter(([status]) => /^(2..|303|default)$/.test(status))
  return [
    ...unless(/^[A-Z].*[^.\s]$/.test(summary ?? ''), `${at} has no summary, or one with a full stop`),
    ...unless(tags?.join() === pack, `${at} has not the tag ${pack} alone`),
    ...unless(named.join() === params.join(), `${at} does not describe its parameters`),
    ...unless(forwards || isClosed(partOf(route, 'body')), `${at} has an open body`),
    ...unless(forwards || isClosed(partOf(route, 'querystring')), `${at} has an open query`),
    ...unless(answers.length > 0, `${at} describes no reply`),
    ...namesIn(isForeign ? undefined : partOf(route, 'body')).flatMap(([field, name]) =>
      unless(refusesNoNames(name), `${at} takes a ${field} that is none`)
    ),
    ...(access.root || forwards
      ? []
      : answers
          .filter(([, reply]) => isJson(reply))
          .flatMap(([status, reply]) => replyFaults(route, status, reply)))
  ]
}

/** What people call something, wherever it stands in a body. */
function namesIn(schema: Schema | undefined): readonly (readonly [field: string, name: Schema])[] {
  const { properties = {}, items, anyOf = [] } = schema ?? {}
  return [
    ...Object.entries(properties).flatMap(([field, it]) => {
      const texts = [it, ...(it.anyOf ?? [])].filter(({ type }) => type === 'string')
      return /^(?:name|title)$/.test(field) ? texts.map((text) => [field, text] as const) : []
    }),
    ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(namesIn)
  ]
}

export const noNames = ['', ' ', ' a', 'a ', 'a\nb', 'a\u0000', 'a\u007fb', '\u2028']
const refusesNoNames = ({ pattern = '' }: Schema) =>
  noNames.every((name) => !new RegExp(pattern, 'u').test(name))

function replyFaults(route: MountedRoute, status: string, reply: Schema): readonly string[] {
  const at = `${routeName(route)} ${status}`
  const { data, nextCursor, ...others } = reply.properties ?? {}
  if (!data) return [`${at} is not wrapped in data`]
  const query = partOf(route, 'querystring')?.properties ?? {}
  const isList = data.type === 'array'
  const isPaged = isList && unpaged[routeName(route)] === undefined
  return [
    ...Object.keys(others).map((name) => `${at} has ${name} beside data`),
    ...unless(
      isList === (nextCursor !== undefined),
      `${at} has a list without nextCursor, or the other way round`
    ),
    ...unless(!isPaged || ('limit' in query && 'cursor' in query), `${at} is a list without limit and cursor`)
  ]
}

/** The kernel closes what says nothing; here it is looked for what opens itself. A map has no properties. */
function isClosed(schema: Schema | undefined): boolean {
  if (!schema) return true
  const { properties, additionalProperties = false, items, anyOf = [] } = schema
  if (properties ? additionalProperties !== false : additionalProperties === true) return false
  return [...Object.values(properties ?? {}), ...(items ? [items] : []), ...anyOf].every(isClosed)
}

/** Every titled schema of these routes, as often as it stands there. */
export const titled = (routes: readonly MountedRoute[]): readonly (Schema & { title: string })[] =>
  routes.flatMap((route) => [
    ...titledIn(partOf(route, 'body')),
    ...responsesOf(route).flatMap(([, reply]) => titledIn(reply))
  ])

function titledIn(schema: Schema | undefined): readonly (Schema & { title: string })[] {
  if (!schema) return []
  const { title, properties = {}, items, anyOf = [] } = schema
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(titledIn)
  return title === undefined ? inside : [{ ...schema, title }, ...inside]
}

/** A title makes a component of the API's description, so it stands for one schema everywhere. */
export function titleFaults(routes: readonly MountedRoute[]): readonly string[] {
  const meant = new Map<string, string>()
  const faults = new Set<string>()
  for (const schema of titled(routes)) {
    const text = JSON.stringify(schema)
    if (!/^[A-Z][A-Za-z0-9]*$/.test(schema.title)) faults.add(`title ${schema.title} is not PascalCase`)
    if ((meant.get(schema.title) ?? text) !== text) faults.add(`title ${schema.title} stands for two schemas`)
    meant.set(schema.title, text)
  }
  return [...faults]
}

const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])
