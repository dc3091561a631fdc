import { createHash } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { createComponents, titlesOf } from './components.ts'
import { Failure, failureResponses } from './failures.ts'
import { sharedHeaders } from './headers.ts'
import { healthPaths } from './health.ts'
import { infoOf } from './info.ts'
import { operationOf, tagsOf } from './operation.ts'
import { createOperationIds } from './operation-id.ts'
import { sharedParameters } from './parameters.ts'
import type { Template } from './paths.ts'
import { templatesOf } from './paths.ts'
import type { Json, MountedPack, Route } from './route.ts'
import { routesOf } from './route.ts'
import { securitySchemes } from './security.ts'

export type ApiDocument = ReturnType<typeof createApiDocument>

interface Built {
  readonly generation: number
  readonly body: Buffer
  /** Strong: of the content. */
  readonly etag: string
}

/** The document of what is mounted, built when it is first asked for after a change of packs. */
export function createApiDocument({ packs, platform, log }: Pick<Kernel, 'packs' | 'platform' | 'log'>) {
  let built: Built | undefined

  function build(generation: number): Built {
    const { document, faults } = describeApi(packs.mounted(), platform)
    for (const fault of faults) log.warn(fault)
    const body = Buffer.from(JSON.stringify(document))
    return {
      generation,
      body,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    }
  }

  return {
    current(): Built {
      const { generation } = packs.readings()
      if (built?.generation !== generation) built = build(generation)
      return built
    }
  }
}

/** An OpenAPI 3.1 document, and what is wrong with the schemas that it was made of. */
export function describeApi(
  packs: readonly MountedPack[],
  { version, baseUrl }: Pick<Kernel['platform'], 'version' | 'baseUrl'>
): { document: Json; faults: readonly string[] } {
  const routes = routesOf(packs)
  const components = createComponents(new Set(routes.flatMap(({ schema }) => titlesOf(schema.response))))
  const failure = components.describe(Failure, 'the platform itself')
  const paths = describePaths(routes, (route, id, template) => operationOf(route, id, template, components))
  const document = {
    openapi: '3.1.0',
    info: infoOf(version),
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    ...tagsAndGroups(packs, routes),
    paths: { ...healthPaths, ...paths },
    components: {
      securitySchemes,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: failureResponses(failure),
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
  }
  return { document, faults: components.faults }
}

function describePaths(
  routes: readonly Route[],
  describe: (route: Route, operationId: string, template: Template) => Json
): Json {
  const templates = templatesOf(routes.map(({ path }) => path))
  const idOf = createOperationIds()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const template = templates.get(route.path) as Template
    const item = paths[template.template] ?? {}
    paths[template.template] = item
    item[route.method.toLowerCase()] = describe(route, idOf(route.method, route.path), template)
  }
  return paths
}

/** A tag a pack, and a group of tags an area. */
function tagsAndGroups(packs: readonly MountedPack[], routes: readonly Route[]): Json {
  const areas = new Map(packs.map(({ name, area }) => [name, area]))
  const summaries = new Map(packs.map(({ name, summary }) => [name, summary]))
  const groups = new Map<string, string[]>()
  const tags = new Set<string>()
  for (const route of routes)
    for (const tag of tagsOf(route)) {
      if (tags.has(tag)) continue
      tags.add(tag)
      const area = areas.get(tag) ?? (areas.get(route.pack) as string)
      groups.set(area, [...(groups.get(area) ?? []), tag])
    }
  return {
    tags: [...tags].sort().map((name) => {
      const summary = summaries.get(name)
      return { name, 'x-displayName': displayName(name), ...(summary && { description: capital(summary) }) }
    }),
    'x-tagGroups': [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inside]) => ({ name, tags: inside.sort() }))
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const displayName = (tag: string): string => capital(tag.replaceAll('-', ' '))
