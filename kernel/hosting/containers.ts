import type { AwilixContainer } from 'awilix'
import { asFunction, asValue, createContainer } from 'awilix'
import type { Kernel } from '../pack.ts'
import type { Manifest } from './manifest.ts'

export type Dependencies = Record<string, unknown>

/**
 * One container a pack and generation: singletons of a scope would be cached in its root, and a reload would
 * get the old ones.
 */
export function createPackContainer(
  manifest: Manifest,
  kernel: Kernel,
  settings: Readonly<Record<string, unknown>>,
  exportsOf: (pack: string) => unknown
): AwilixContainer<Dependencies> {
  const container = createContainer<Dependencies>({ strict: true })
  for (const [name, value] of Object.entries(kernel)) container.register(name, asValue(value))
  container.register('settings', asValue(settings))
  for (const pack of [...(manifest.requires ?? []), ...(manifest.uses ?? [])])
    container.register(pack, asValue(exportsOf(pack)))
  for (const [name, factory] of Object.entries(manifest.services ?? {}))
    container.register(name, asFunction(factory as (deps: Dependencies) => unknown).singleton())
  return container
}
