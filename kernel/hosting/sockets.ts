import createRouter from 'find-my-way'
import type { Open } from '../pack.ts'
import type { Manifest } from './manifest.ts'

/** Who opens sockets at a path. */
export interface Socketed {
  readonly pack: string
  readonly path: string
  readonly scope: readonly string[] | undefined
  readonly open: Open
}

/** The upgrade requests that one generation takes. */
export interface Sockets {
  /** Throws where two packs, or one pack twice, would open the same path. */
  add(manifest: Manifest, upgrades: ReadonlyMap<string, Open>): void
  find(
    path: string
  ): { readonly target: Socketed; readonly params: Readonly<Record<string, string | undefined>> } | undefined
}

export function createSockets(): Sockets {
  const router = createRouter({ maxParamLength: 512 })
  return {
    add({ name, upgrade }, upgrades) {
      for (const [given, open] of upgrades) {
        const { scope, root } = upgrade?.[given] ?? {}
        const path = root ? given : `/v1${given}`
        const target: Socketed = { pack: name, path, scope, open }
        router.on('GET', path, () => undefined, target)
      }
    },
    find(path) {
      const found = router.find('GET', path)
      return found ? { target: found.store as Socketed, params: found.params } : undefined
    }
  }
}
