import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Trx } from '../data/transaction.ts'
import { unavailable } from '../errors.ts'
import type { Fact } from '../events/fact.ts'
import type { Contributed, Contributions } from '../events/points.ts'
import { inOrder } from '../events/points.ts'
import type { Kernel, Open } from '../pack.ts'
import type { Dependencies } from './containers.ts'
import { createPackContainer } from './containers.ts'
import type { InFlight } from './in-flight.ts'
import { createInFlight } from './in-flight.ts'
import type { Loaded } from './loader.ts'
import { createPace } from './pace.ts'
import type { MountedRoute } from './routes.ts'
import type { Sockets } from './sockets.ts'
import { createSockets } from './sockets.ts'

/** A pack as it goes into a generation. */
export interface Mountable {
  readonly loaded: Loaded
  readonly settings: Readonly<Record<string, unknown>>
}
export interface Mounted extends Mountable {
  readonly deps: Dependencies
  readonly routes: readonly MountedRoute[]
  readonly upgrades: ReadonlyMap<string, Open>
  readonly steps: ReadonlyMap<string, Step>
}
export type Step = (id: string, handOver: AbortSignal) => Promise<'again' | 'done'>
export interface Listener {
  readonly names: ReadonlySet<string>
  handle(fact: Fact, trx: Trx): Promise<void>
}

/** Everything built from the packs that are on at one time. */
export interface Generation {
  readonly id: number
  readonly packs: ReadonlyMap<string, Mounted>
  readonly contributions: Contributions
  readonly listeners: ReadonlyMap<string, Listener>
  readonly sockets: Sockets
  readonly inFlight: InFlight
  handle(request: IncomingMessage, response: ServerResponse): void
  /** After the swap: packs go on with what their records say is unfinished. Never rejects. */
  resume(): Promise<void>
  /** After the last request: closes the app, stops the packs. */
  stop(): Promise<void>
}

/** Why a pack could not be part of a generation, and in which phase that showed. */
export class PackFault extends Error {
  readonly pack: string
  readonly phase: 'requirements' | 'migrations' | 'services' | 'start' | 'contributions' | 'routes'

  constructor(pack: string, phase: PackFault['phase'], cause: unknown) {
    super(`${phase}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.pack = pack
    this.phase = phase
  }
}

export interface Surroundings {
  kernelFor(pack: string, user: object): Kernel
  release(user: object): Promise<void>
  /** Fastify with everything that is the same for all generations. */
  prepare(): FastifyInstance
  mountRoutes(app: FastifyInstance, pack: string, add: (app: FastifyInstance) => void): MountedRoute[]
  report(error: unknown, pack: string): void
}

const START_MS = 10_000

/** Builds and starts a generation; nothing of it is left when that fails, with a `PackFault`. */
export async function buildGeneration(
  id: number,
  packs: readonly Mountable[],
  around: Surroundings
): Promise<Generation> {
  const user = {}
  const mounted = new Map<string, Mounted>()
  const exported = new Map<string, unknown>()
  const app = around.prepare()
  const pace = createPace()
  const stop = async () => {
    await app.close()
    for (const { loaded, deps } of [...mounted.values()].reverse())
      await within(async () => loaded.manifest.stop?.(deps as never), 'stop').catch((error) =>
        around.report(error, loaded.name)
      )
    await around.release(user).catch((error) => around.report(error, 'shared'))
  }
  try {
    for (const pack of packs) {
      await pace()
      const { name, manifest } = pack.loaded
      const deps = await attempt(name, 'services', () => {
        const kernel = around.kernelFor(name, user)
        const container = createPackContainer(manifest, kernel, pack.settings, (other) => exported.get(other))
        for (const service of Object.keys(manifest.services ?? {})) container.resolve(service)
        const deps = container.cradle
        if (manifest.exports) exported.set(name, manifest.exports(deps as never))
        return deps
      })
      const made: Mounted = { ...pack, deps, routes: [], upgrades: new Map(), steps: new Map() }
      mounted.set(name, made)
      await attempt(name, 'start', () => within(async () => manifest.start?.(deps as never), 'start'))
    }
    for (const [name, pack] of mounted)
      await attempt(name, 'contributions', () => mounted.set(name, complete(pack)))
    await mount(app, mounted, around, pace)
    const sockets = createSockets()
    for (const [name, { loaded, upgrades }] of mounted)
      await attempt(name, 'routes', () => sockets.add(loaded.manifest, upgrades))
    const contributions = contributionsOf(mounted)
    const inFlight = createInFlight()
    const listeners = listenersOf(mounted, inFlight)
    const resume = async () => {
      for (const { loaded, deps } of mounted.values()) {
        inFlight.enter()
        await (async () => loaded.manifest.resume?.(deps as never))()
          .catch((error) => around.report(error, loaded.name))
          .finally(inFlight.leave)
      }
    }
    return {
      id,
      packs: mounted,
      contributions,
      listeners,
      sockets,
      inFlight,
      handle: app.routing,
      resume,
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function attempt<T>(pack: string, phase: PackFault['phase'], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new PackFault(pack, phase, error)
  }
}

function attemptNow<T>(pack: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PackFault(pack, 'contributions', error)
  }
}

function within<T>(work: () => Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} took more than ${START_MS / 1000} s`)), START_MS)
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

function complete(pack: Mounted): Mounted {
  const { manifest } = pack.loaded
  const made = <T>(of: Readonly<Record<string, (deps: never) => T>> | undefined) =>
    new Map(Object.entries(of ?? {}).map(([name, make]) => [name, make(pack.deps as never)]))
  const upgrades = Object.fromEntries(
    Object.entries(manifest.upgrade ?? {}).map(([path, it]) => [path, it.open])
  )
  return { ...pack, steps: made(manifest.steps), upgrades: made(upgrades) }
}

/** All routes of all packs; the fault is the pack's whose turn it is. */
async function mount(
  app: FastifyInstance,
  mounted: Map<string, Mounted>,
  around: Surroundings,
  pace: () => Promise<void>
): Promise<void> {
  let turn = ''
  let author: string | undefined
  for (const [name, pack] of mounted) {
    const plugin = async (inside: FastifyInstance) => {
      await pace()
      turn = name
      // Schemas are compiled when all packs are mounted: the fault is still the pack's that wrote them.
      const blamed =
        <A, R>(compile: (given: A) => R) =>
        (given: A): R => {
          try {
            return compile(given)
          } catch (error) {
            author ??= name
            throw error
          }
        }
      inside.setValidatorCompiler(blamed(inside.validatorCompiler as never))
      inside.setSerializerCompiler(blamed(inside.serializerCompiler as never))
      const { manifest } = pack.loaded
      const routes = around.mountRoutes(inside, name, (app) => {
        manifest.plugins?.(app)
        manifest.routes?.(app as never, pack.deps as never)
      })
      mounted.set(name, { ...pack, routes })
    }
    // For one without a name Fastify searches all modules that were ever required.
    app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name }))
  }
  try {
    await app.ready()
  } catch (error) {
    const { code } = error as { code?: unknown }
    const isSchema = /^FST_ERR_SCH_(VALIDATION|SERIALIZATION)_BUILD$/.test(String(code))
    throw new PackFault((isSchema && author) || turn, 'routes', error)
  }
}

function contributionsOf(mounted: ReadonlyMap<string, Mounted>): Contributions {
  const points = new Map<string, Contributed[]>()
  for (const [pack, { loaded, deps }] of mounted)
    for (const [point, given] of Object.entries(loaded.manifest.contributes ?? {})) {
      if (!mounted.has(point.slice(0, point.indexOf('.')))) continue
      const at = points.get(point) ?? []
      points.set(point, at)
      for (const { key, order = 0, make } of given) {
        const value = attemptNow(pack, () => make(deps as never))
        at.push({ pack, order, value, ...(key !== undefined && { key }) })
      }
    }
  return new Map([...points].map(([point, given]) => [point, inOrder(given)]))
}

function listenersOf(
  mounted: ReadonlyMap<string, Mounted>,
  inFlight: InFlight
): ReadonlyMap<string, Listener> {
  const listeners = new Map<string, Listener>()
  for (const [pack, { loaded, deps }] of mounted) {
    const handlers = new Map(
      Object.entries(loaded.manifest.on ?? {}).map(([name, make]) => [
        name,
        attemptNow(pack, () => make(deps as never))
      ])
    )
    if (handlers.size === 0) continue
    const handle = async (fact: Fact, trx: Trx) => {
      inFlight.enter()
      try {
        await handlers.get(fact.name)?.(fact, trx)
      } finally {
        inFlight.leave()
      }
    }
    listeners.set(pack, { names: new Set(handlers.keys()), handle })
  }
  return listeners
}

/** Before the first generation: health, and 503 for everything else. */
export async function emptyGeneration(app: FastifyInstance): Promise<Generation> {
  // Not OPTIONS: that is for preflights, where browsers are let in.
  const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const handler = () => {
    throw unavailable('The platform is starting', { code: 'starting' })
  }
  app.route({ method, url: '/*', handler })
  await app.ready()
  const none = new Map<string, never>()
  return {
    id: 0,
    packs: none,
    contributions: none,
    listeners: none,
    sockets: createSockets(),
    inFlight: createInFlight(),
    handle: app.routing,
    resume: async () => undefined,
    stop: () => app.close()
  }
}
