import { LoadFault } from './fault.ts'
import type { Mountable, PackFault } from './generation.ts'
import type { Found, Loaded, Loader } from './loader.ts'
import { resolve } from './resolver.ts'
import type { PackState } from './states.ts'

/** A failed pack's state, by what was thrown. */
export function failed(error: unknown, digest: string | null): PackState {
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 500) ?? ''
  return { status: 'failed', digest, reason, retry: error instanceof LoadFault ? 'files' : 'time' }
}

/** Packs in the order in which they are built, and those that cannot be, with the reason. */
export function ordered(target: ReadonlyMap<string, Mountable>): {
  order: readonly Mountable[]
  refused: ReadonlyMap<string, string>
} {
  const { order, refused } = resolve(
    new Map([...target].map(([name, { loaded }]) => [name, loaded.manifest]))
  )
  return { order: order.map((name) => target.get(name) as Mountable), refused }
}

/** Equal when the same versions run with the same settings. */
export const signature = (packs: Iterable<Mountable>): string =>
  JSON.stringify([...packs].map(({ loaded, settings }) => [loaded.name, loaded.digest, settings]).sort())

/** The version that is there now, or why it is none. */
export async function loadFound(loader: Loader, found: Found | LoadFault | undefined): Promise<Loaded> {
  if (!found) throw new LoadFault('import', 'no such pack in the folders of this instance')
  if (found instanceof LoadFault) throw found
  return loader.load(found)
}

export const isPackFault = (error: unknown): error is PackFault =>
  error instanceof Error && 'pack' in error && 'phase' in error
