import type { FastifyInstance } from 'fastify'
import type { TObject } from 'typebox'
import type { Access, App, Fact, Kernel, Open, Trx } from '../pack.ts'
import type { Check } from './checks.ts'
import { callable, check, isRecord, listOf, named, number, objectOf, recordOf, text } from './checks.ts'
import { LoadFault } from './fault.ts'

type Made<T> = (deps: unknown) => T

/** A pack as the kernel handles it: the contract's `Pack` without the types of its own dependencies. */
export interface Manifest {
  readonly name: string
  readonly area: string
  readonly requires?: readonly string[]
  readonly uses?: readonly string[]
  readonly settings?: TObject
  readonly services?: Readonly<Record<string, Made<unknown>>>
  readonly exports?: Made<unknown>
  readonly plugins?: (app: FastifyInstance) => void
  readonly routes?: (app: App, deps: unknown) => void
  readonly upgrade?: Readonly<Record<string, Pick<Access, 'scope' | 'root'> & { open: Made<Open> }>>
  readonly contributes?: Readonly<
    Record<
      string,
      readonly { readonly key?: string; readonly order?: number; readonly make: Made<unknown> }[]
    >
  >
  readonly on?: Readonly<Record<string, Made<(fact: Fact, trx: Trx) => Promise<void>>>>
  readonly steps?: Readonly<
    Record<string, Made<(id: string, handOver: AbortSignal) => Promise<'again' | 'done'>>>
  >
  readonly start?: Made<Promise<void>>
  readonly stop?: Made<Promise<void>>
  readonly resume?: Made<Promise<void>>
}

/** What every factory finds among its dependencies already; the type makes the list complete. */
const kernelMembers: Readonly<Record<keyof Kernel | 'settings', true>> = {
  advance: true,
  cache: true,
  credentials: true,
  envelope: true,
  facts: true,
  hold: true,
  hosting: true,
  hot: true,
  knex: true,
  limits: true,
  log: true,
  platform: true,
  points: true,
  settings: true,
  shared: true,
  signals: true,
  streams: true,
  transaction: true,
  vault: true
}

/** The pack's schema is named after it, so the names of PostgreSQL's own are no names for packs. */
const reserved = /^(kernel|public|changes|information-schema|pg-.*)$/
const packName = named(/^[a-z][a-z0-9-]{0,38}$/, '1 to 39 of a-z, 0-9 and -, beginning with a letter')
const dotted = named(/^[a-z][a-z0-9-]{0,38}\.[A-Za-z][\w-]*$/, '<pack>.<word>')
const word = named(/^[A-Za-z][\w-]*$/, 'a word')
const path = named(/^\//, 'a path that begins with /')
const exactlyTrue = check((value) => value === true, 'true')

/** The type makes it fail to compile when the contract gains or loses a field. */
const fields: { readonly [F in keyof Required<Manifest>]: Check } = {
  name: packName,
  area: text,
  requires: listOf(packName),
  uses: listOf(packName),
  settings,
  services: recordOf(word, callable),
  exports: callable,
  plugins: callable,
  routes: callable,
  upgrade: recordOf(path, objectOf({ scope: listOf(text), root: exactlyTrue, open: callable }, ['open'])),
  contributes: recordOf(dotted, listOf(objectOf({ key: text, order: number, make: callable }, ['make']))),
  on: recordOf(dotted, callable),
  steps: recordOf(word, callable),
  start: callable,
  stop: callable,
  resume: callable
}
const shape = objectOf(fields, ['name', 'area'])

/**
 * The manifest, if the default export of a `pack.ts` is one; a LoadFault that names all that is wrong with it
 * otherwise. A pack has the name of its folder.
 */
export function checkManifest(value: unknown, folderName: string): Manifest {
  if (value === undefined) throw new LoadFault('manifest', 'pack.ts has no default export')
  if (!isRecord(value)) throw new LoadFault('manifest', 'the default export of pack.ts is not a pack')
  const faults = [...shape(value, ''), ...nameFaults(value.name, folderName), ...dependencyFaults(value)]
  if (faults.length > 0) throw new LoadFault('manifest', faults.join('; ').replaceAll(/\s+/g, ' '))
  return value as unknown as Manifest
}

function nameFaults(name: unknown, folderName: string): readonly string[] {
  if (typeof name !== 'string') return []
  return [
    ...(name === folderName ? [] : [`name is ${name}, but the folder's name is ${folderName}`]),
    ...(reserved.test(name.replaceAll('_', '-')) ? [`the name ${name} is reserved`] : [])
  ]
}

function dependencyFaults(pack: Readonly<Record<string, unknown>>): readonly string[] {
  const requires = texts(pack.requires)
  const uses = texts(pack.uses)
  const others = new Set([...requires, ...uses])
  const services = isRecord(pack.services) ? Object.keys(pack.services) : []
  const all = [...requires, ...uses].sort()
  return [
    ...[...others].filter((name) => name === pack.name).map((name) => `${name} requires or uses itself`),
    ...[...others]
      .filter(isKernelMember)
      .map((name) => `no pack can be called ${name}, the kernel gives that`),
    ...all
      .filter((name, at) => name === all[at + 1])
      .map((name) => `${name} is named twice in requires and uses`),
    ...services
      .filter(isKernelMember)
      .map((name) => `service ${name} has the name of something the kernel gives`),
    ...services
      .filter((name) => others.has(name))
      .map((name) => `service ${name} has the name of another pack`)
  ]
}

const isKernelMember = (name: string) => Object.hasOwn(kernelMembers, name)

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

function settings(value: unknown, at: string): readonly string[] {
  if (!isRecord(value) || value.type !== 'object' || !isRecord(value.properties))
    return [`${at} must be an object schema of TypeBox`]
  return Object.entries(value.properties).flatMap(([name, schema]) => setting(schema, `${at}.${name}`))
}

function setting(schema: unknown, at: string): readonly string[] {
  if (!isRecord(schema)) return [`${at} must be a schema`]
  return [
    ...(isFlat(schema) ? [] : [`${at} must be a text, number, boolean, a choice or a list of those`]),
    ...(schema.env === undefined ? [] : environmentName(schema.env, `${at}.env`)),
    ...(schema.secret === undefined || typeof schema.secret === 'boolean'
      ? []
      : [`${at}.secret must be a boolean`])
  ]
}

const environmentName = named(/^[A-Z][A-Z0-9_]*$/, 'the name of an environment variable')

const isScalar = (schema: unknown): boolean =>
  isRecord(schema) &&
  (['string', 'number', 'integer', 'boolean', 'null'].includes(String(schema.type)) ||
    Array.isArray(schema.enum) ||
    'const' in schema ||
    (Array.isArray(schema.anyOf) && schema.anyOf.every(isScalar)))

const isFlat = (schema: Readonly<Record<string, unknown>>): boolean =>
  isScalar(schema) || (schema.type === 'array' && isScalar(schema.items))
