import type { AwilixContainer } from 'awilix'
import { asFunction, asValue, createContainer } from 'awilix'
import type { Kernel } from '../pack.ts'
import type { Manifest } from './manifest.ts'

export type Dependencies = Record<string, unknown>

/**
 * One container a pack and generation: singletons of a scope would be cached in its root, and a reload would
 * get the old ones. Throws where two things would have one name.
 */
export function createPackContainer(
  { requires = [], uses = [], services = {} }: Manifest,
  kernel: Kernel,
  settings: Readonly<Record<string, unknown>>,
  exportsOf: (pack: string) => unknown
): AwilixContainer<Dependencies> {
  const container = createContainer<Dependencies>({ strict: true })
  for (const [name, value] of Object.entries({ ...kernel, settings }))
    container.register(name, asValue(value))
  const free = (name: string) => {
    if (container.hasRegistration(name)) throw new Error(`the name ${name} is given already`)
    return name
  }
  for (const pack of new Set([...requires, ...uses])) container.register(free(pack), asValue(exportsOf(pack)))
  for (const [name, factory] of Object.entries(services))
    container.register(free(name), asFunction(factory as (deps: Dependencies) => unknown).singleton())
  return container
}
