import type { FastifyInstance } from 'fastify'
import { PackFault } from '../packs/faults.ts'
import type { Mounted } from '../packs/runtime/parts.ts'
import type { MountedRoute } from './routes.ts'
import { serializerWhenNeeded, validatorWhenNeeded } from './validation.ts'

/**
 * All routes of all packs, or a `PackFault`. Schemas of a version that is mounted for the first time are compiled now, so
 * that one which does not compile is refused; a version that is known to compile costs no more than what is asked of it.
 */
export async function mountRoutes(
  app: FastifyInstance,
  packs: ReadonlyMap<string, Mounted>,
  govern: (app: FastifyInstance, pack: string, mounted: MountedRoute[]) => void,
  pace: () => Promise<void>
): Promise<void> {
  let turn = ''
  for (const [name, { loaded, deps, routes, compiles }] of packs) {
    const plugin = async (inside: FastifyInstance) => {
      await pace()
      turn = name
      govern(inside, name, routes)
      if (compiles) {
        inside.setValidatorCompiler(validatorWhenNeeded as never)
        inside.setSerializerCompiler(serializerWhenNeeded as never)
      }
      loaded.manifest.plugins?.(inside)
      loaded.manifest.routes?.(inside as never, deps)
    }
    // For one without a name Fastify searches all modules that were ever required.
    app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name }))
  }
  try {
    await app.ready()
  } catch (error) {
    throw new PackFault(authorOf(error as Error, packs) ?? turn, 'routes', error)
  }
  for (const pack of packs.values()) pack.compiles = true
}

/** Schemas are compiled when all packs are mounted; the message names the route. */
function authorOf({ message }: Error, packs: ReadonlyMap<string, Mounted>): string | undefined {
  const url = /^Failed building the (?:validation|serialization) schema for [A-Z,]+: (\S+),/.exec(
    message
  )?.[1]
  for (const [name, { routes }] of packs)
    if (url && routes.some(({ path }) => path === url || path === `/v1${url}`)) return name
}
