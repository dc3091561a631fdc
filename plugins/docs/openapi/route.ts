import type { PackApi } from 'agent-platform'

export type MountedPack = ReturnType<PackApi['mounted']>[number]

/** A schema as JSON Schema has it. */
export type Schema = Readonly<Record<string, unknown>> & {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
export type Json = Record<string, unknown>

/** What a route says of itself, in the words of Fastify and of its Swagger plugin. */
export interface RouteSchema {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly consumes?: readonly string[]
  readonly produces?: readonly string[]
  readonly params?: Schema
  readonly querystring?: Schema
  readonly headers?: Schema
  readonly body?: Schema
  readonly response?: Readonly<Record<string, ResponseSchema>>
}
export type ResponseSchema = Schema & {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** A mounted route, ready to be described. */
export interface Route extends Omit<MountedPack['routes'][number], 'schema'> {
  readonly pack: string
  readonly schema: RouteSchema
}

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']

/** Every route that OpenAPI has a word for, in an order that does not depend on when its pack was mounted. */
export const routesOf = (packs: readonly MountedPack[]): Route[] =>
  packs
    .flatMap(({ name, routes }) => routes.map((route): Route => ({ ...route, pack: name })))
    .filter(({ method }) => METHODS.includes(method))
    .sort((a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Properties of an object schema, also of one that is put together from several. */
export function propertiesOf(
  schema: Schema | undefined
): [name: string, schema: Schema, required: boolean][] {
  if (!schema) return []
  const own = Object.entries(schema.properties ?? {}).map(([name, property]): [string, Schema, boolean] => [
    name,
    property,
    schema.required?.includes(name) ?? false
  ])
  return [...own, ...(schema.allOf ?? []).flatMap(propertiesOf)]
}

/** Whether a reply has one thing in it that carries a version, and so an ETag. */
export const hasVersion = (schema: Schema | undefined): boolean =>
  schema?.properties?.data?.properties?.version !== undefined

export const isPublic = ({ access }: Route): boolean => access.by === 'public'
export const takesBody = ({ method, access, schema }: Route): boolean =>
  method !== 'GET' && method !== 'HEAD' && (access.body !== undefined || !isEmptyBody(schema.body))

/** What stands for "no body": nothing at all, null, or a closed object of no properties. */
function isEmptyBody(body: Schema | undefined): boolean {
  if (!body) return true
  if (body.anyOf) return body.anyOf.every(isEmptyBody)
  const { type, properties, additionalProperties } = body
  if (type === 'object' && properties && !additionalProperties) return Object.keys(properties).length === 0
  return type === 'null'
}
