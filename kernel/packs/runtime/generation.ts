import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../contract/errors.ts'
import type { Execution } from '../../contract/execution.ts'
import { pace } from '../../contract/pace.ts'
import type { Kernel } from '../../contract/pack.ts'
import type { Listener } from '../../events/facts-delivery.ts'
import type { Contributions } from '../../events/points.ts'
import { mountRoutes } from '../../http/mount.ts'
import type { MountedRoute } from '../../http/routes.ts'
import type { Sockets } from '../../http/sockets.ts'
import { createSockets } from '../../http/sockets.ts'
import { PackFault, within } from '../faults.ts'
import type { Cascades } from './cascades.ts'
import { createPackContainer } from './containers.ts'
import type { InFlight } from './in-flight.ts'
import { createInFlight } from './in-flight.ts'
import type { Mountable, Mounted, Step } from './parts.ts'
import { createParts } from './parts.ts'

/** Everything built from the packs that are on at one time. */
export interface Generation {
  readonly id: number
  readonly packs: ReadonlyMap<string, Mounted>
  readonly contributions: Contributions
  readonly listeners: ReadonlyMap<string, Listener>
  /** By `<pack>/<step>`. */
  readonly steps: ReadonlyMap<string, Step>
  /** By `<pack>/<name>`. */
  readonly executions: ReadonlyMap<string, Execution>
  readonly sockets: Sockets
  readonly inFlight: InFlight
  handle(request: IncomingMessage, response: ServerResponse): void
  /** After the swap: packs go on with what their records say is unfinished. Never rejects. */
  resume(): Promise<void>
  /** After the last request: closes the app, stops the packs. */
  stop(): Promise<void>
}

export interface Surroundings {
  kernelFor(pack: string, user: object): Kernel
  release(user: object): Promise<void>
  /** Fastify with everything that is the same for all generations. */
  prepare(): FastifyInstance
  /** Makes routes that are then added the platform's, and notes them. */
  govern(app: FastifyInstance, pack: string, mounted: MountedRoute[]): void
  report(error: unknown, pack: string): void
  readonly cascadeOf: Cascades['of']
}

/** Builds and starts a generation; nothing of it is left when that fails, with a `PackFault`. */
export async function buildGeneration(
  id: number,
  packs: readonly Mountable[],
  around: Surroundings
): Promise<Generation> {
  const user = {}
  const app = around.prepare()
  const inFlight = createInFlight()
  const sockets = createSockets()
  const mounted = new Map<string, Mounted>()
  const exported = new Map<string, unknown>()

  async function stop() {
    await app.close()
    for (const { loaded, deps } of [...mounted.values()].reverse())
      await within('stop', async () => loaded.manifest.stop?.(deps)).catch((error) =>
        around.report(error, loaded.name)
      )
    await around.release(user).catch((error) => around.report(error, 'shared'))
  }

  async function resume() {
    for (const { loaded, deps } of mounted.values()) {
      inFlight.enter()
      await Promise.try(() => loaded.manifest.resume?.(deps))
        .catch((error) => around.report(error, loaded.name))
        .finally(inFlight.leave)
    }
  }

  async function open(pack: Mountable) {
    const { name, manifest } = pack.loaded
    const deps = await attempt(name, 'services', () => {
      const kernel = around.kernelFor(name, user)
      const container = createPackContainer(manifest, kernel, pack.settings, (other) => exported.get(other))
      for (const service of Object.keys(manifest.services ?? {})) container.resolve(service)
      const deps = container.cradle
      if (manifest.exports) exported.set(name, manifest.exports(deps))
      return deps
    })
    mounted.set(name, { ...pack, deps, routes: [] })
    await attempt(name, 'start', () => within('start', async () => manifest.start?.(deps)))
  }

  try {
    for (const pack of packs) {
      await pace()
      await open(pack)
    }
    const parts = createParts(mounted, inFlight, around.cascadeOf)
    for (const [name, pack] of mounted) await attempt(name, 'contributions', () => parts.add(pack))
    await mountRoutes(app, mounted, around.govern, pace)
    for (const [name, { loaded, deps }] of mounted)
      await attempt(name, 'routes', () => sockets.add(loaded.manifest, deps))
    return { id, packs: mounted, ...parts.made(), sockets, inFlight, handle: app.routing, resume, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Phase = ConstructorParameters<typeof PackFault>[1]
async function attempt<T>(pack: string, phase: Phase, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new PackFault(pack, phase, error)
  }
}

/** Before the first generation: health, and 503 for everything else. */
export function emptyGeneration(app: FastifyInstance): Promise<Generation> {
  // Not OPTIONS: that is for preflights, where browsers are let in.
  const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const handler = () => {
    throw unavailable('The platform is starting', { code: 'starting' })
  }
  app.route({ method, url: '/*', handler })
  const none = { prepare: () => app, release: async () => undefined }
  return buildGeneration(0, [], none as Partial<Surroundings> as Surroundings)
}
