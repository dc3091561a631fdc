import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import { packageLimits } from '../limits/limits.ts'
import { hostProblem, isHostWithin } from './hosts.ts'
import { Manifest } from './schema.ts'

/** What is wrong, and where: a JSON pointer into what was checked. */
export interface Problem {
  readonly pointer: string
  /** Goes on after the name of the place: "is missing". */
  readonly message: string
}

/** More than anyone reads at once. */
const MAX_PROBLEMS = 50
/** Levels of objects and lists in one another; what is read further goes through all of them. */
const MAX_DEPTH = 64

/** All that is wrong with a manifest, as far as the manifest alone tells. Where nothing is, it is a `Manifest`. */
export function checkManifest(value: unknown): readonly Problem[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return [{ pointer: '', message: 'is no JSON object' }]
  if (isTooDeep(value)) return [{ pointer: '', message: `is nested in more than ${MAX_DEPTH} levels` }]
  const shape = shapeProblems(value)
  return (shape.length > 0 ? shape : meaningProblems(value as Manifest)).slice(0, MAX_PROBLEMS)
}

/**
 * All that is wrong with the files of a version, by path with their size in bytes. Pointers are those of a request to
 * register: `/manifest/…` and `/files/…`.
 */
export function checkFiles(manifest: Manifest, sizes: ReadonlyMap<string, number>): readonly Problem[] {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const { server, icon, pages } = manifest
  const problem = (pointer: string, message: string): Problem => ({ pointer, message })
  const needed = (pointer: string, path: string, most: number) => {
    const size = sizes.get(path)
    if (size === undefined) return [problem(pointer, `is ${path}, which is not among the files`)]
    return size > most ? [problem(`/files/${token(path)}`, `is larger than ${most} bytes`)] : []
  }
  return [
    ...(sizes.size > packageLimits.files
      ? [problem('/files', `has more than ${packageLimits.files} files`)]
      : []),
    ...(total > packageLimits.bytes
      ? [problem('/files', `is larger than ${packageLimits.bytes} bytes`)]
      : []),
    ...(server ? needed('/manifest/server/entry', server.entry, packageLimits.serverBytes) : []),
    ...(icon === undefined ? [] : needed('/manifest/icon', icon, packageLimits.iconBytes)),
    ...pages.flatMap(({ entry }, at) => needed(`/manifest/pages/${at}/entry`, entry, packageLimits.pageBytes))
  ].slice(0, MAX_PROBLEMS)
}

function shapeProblems(value: object): readonly Problem[] {
  const found = new Map<string, string>()
  const tell = (pointer: string, message: string) => found.has(pointer) || found.set(pointer, message)
  for (const error of Value.Errors(Manifest, value)) {
    const { keyword, instancePath, params } = error
    if (keyword === 'required')
      for (const name of (params as { requiredProperties: string[] }).requiredProperties)
        tell(`${instancePath}/${token(name)}`, 'is missing')
    else if (keyword === 'additionalProperties')
      for (const name of (params as { additionalProperties: string[] }).additionalProperties)
        tell(`${instancePath}/${token(name)}`, 'is nothing that a manifest has')
    else if (keyword !== 'boolean') tell(instancePath, wordsOf(error))
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }))
}

/** By what the schema says of the place, which is written for authors. */
function wordsOf({ schemaPath, message }: TLocalizedValidationError): string {
  let at: unknown = Manifest
  for (const part of schemaPath.split('/').slice(1))
    at = (at as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  const { description } = (at ?? {}) as { description?: string }
  return description === undefined ? message : `${message}. ${description}`
}

function meaningProblems(manifest: Manifest): readonly Problem[] {
  const { capabilities, egress, connections, functions, pages, storage, server, limits } = manifest
  const problems: Problem[] = []
  const tell = (pointer: string, message: string) => problems.push({ pointer, message })
  const unique = (list: string, field: string, names: readonly string[]) => {
    for (const [at, name] of names.entries())
      if (names.indexOf(name) < at) tell(`${list}/${at}/${field}`, `is ${name}, which is there already`)
  }
  if (JSON.stringify(manifest).length > packageLimits.manifestBytes)
    tell('', `is longer than ${packageLimits.manifestBytes} characters`)

  unique(
    '/capabilities',
    'name',
    capabilities.map(({ name }) => name)
  )
  unique(
    '/egress',
    'host',
    egress.map(({ host }) => host)
  )
  unique(
    '/connections',
    'key',
    connections.map(({ key }) => key)
  )
  unique(
    '/functions',
    'name',
    functions.map(({ name }) => name)
  )
  unique(
    '/pages',
    'name',
    pages.map(({ name }) => name)
  )
  unique('/storage/collections', 'name', storage?.collections?.map(({ name }) => name) ?? [])

  for (const [at, { host }] of egress.entries()) {
    const fault = hostProblem(host)
    if (fault !== undefined) tell(`/egress/${at}/host`, fault)
  }
  const sound = egress.map(({ host }) => host).filter((host) => hostProblem(host) === undefined)
  for (const [at, { hosts, auth }] of connections.entries()) {
    for (const [nth, host] of hosts.entries()) {
      const fault = hostProblem(host)
      if (fault !== undefined) tell(`/connections/${at}/hosts/${nth}`, fault)
      else if (!sound.some((outer) => isHostWithin(host, outer)))
        tell(`/connections/${at}/hosts/${nth}`, `is ${host}, which is not within egress`)
    }
    if ((auth.type === 'bearer') !== (auth.name === undefined))
      tell(
        `/connections/${at}/auth/name`,
        auth.name === undefined ? 'is missing' : 'is for header and query only'
      )
  }

  if (functions.length > 0 && !server) tell('/server', 'is missing: there are functions')
  for (const [at, { input, output, page }] of functions.entries()) {
    if (input.type !== 'object')
      tell(`/functions/${at}/input`, 'is no schema of an object: its type is object')
    if (output !== undefined && !isSchema(output)) tell(`/functions/${at}/output`, 'is no JSON Schema')
    if (page !== undefined && !pages.some(({ name }) => name === page))
      tell(`/functions/${at}/page`, `is ${page}, which is none of the pages`)
  }
  for (const [at, { entry }] of pages.entries())
    if (!/\.html?$/.test(entry)) tell(`/pages/${at}/entry`, 'is no HTML file')
  if (limits?.cpuMs !== undefined && limits.wallMs !== undefined && limits.cpuMs > limits.wallMs)
    tell('/limits/cpuMs', 'is more than wallMs')
  return problems
}

/** Level by level, since a stack ends sooner than what a stranger sends. */
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((it) => (it !== null && typeof it === 'object' ? Object.values(it) : []))
  }
  return false
}

const isSchema = (schema: Readonly<Record<string, unknown>>) =>
  ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'properties'].some((word) => word in schema)

/** As JSON pointers spell a name. */
const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
