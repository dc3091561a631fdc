import type { AwilixContainer } from 'awilix'
import { asFunction, asValue, createContainer } from 'awilix'
import type { Kernel } from '../../contract/pack.ts'
import type { Manifest } from '../loader/manifest.ts'

export type Dependencies = Record<string, unknown>

/**
 * One container a pack and generation: singletons of a scope would be cached in its root, and a reload would
 * get the old ones. Throws where two things of the pack's would have one name.
 */
export function createPackContainer(
  { requires = [], uses = [], services = {} }: Manifest,
  kernel: Kernel,
  settings: Readonly<Record<string, unknown>>,
  exportsOf: (pack: string) => unknown
): AwilixContainer<Dependencies> {
  const container = createContainer<Dependencies>({ strict: true })
  const given = new Set(['settings'])
  const free = (name: string) => {
    if (given.has(name)) throw new Error(`the name ${name} is given already`)
    given.add(name)
    return name
  }
  // The pack's own names go before the kernel's: one that the kernel gets later changes nothing for a pack that has it.
  for (const [name, value] of Object.entries({ ...kernel, settings }))
    container.register(name, asValue(value))
  for (const pack of new Set([...requires, ...uses])) container.register(free(pack), asValue(exportsOf(pack)))
  for (const [name, factory] of Object.entries(services))
    container.register(free(name), asFunction(factory as (deps: Dependencies) => unknown).singleton())
  return container
}
