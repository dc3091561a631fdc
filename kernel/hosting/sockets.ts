import createRouter from 'find-my-way'
import type { Open } from '../pack.ts'
import type { Manifest } from './manifest.ts'

/** Who opens sockets at a path. */
interface Socketed {
  readonly pack: string
  readonly path: string
  readonly scope: readonly string[] | undefined
  readonly open: Open
}

/** The upgrade requests that one generation takes. */
export function createSockets() {
  const router = createRouter({ maxParamLength: 512 })
  return {
    /** Throws where two packs, or one pack twice, would open the same path. */
    add({ name, upgrade = {} }: Manifest, deps: unknown): void {
      for (const [given, { scope, root, open }] of Object.entries(upgrade)) {
        const path = root ? given : `/v1${given}`
        const target: Socketed = { pack: name, path, scope, open: open(deps) }
        router.on('GET', path, () => undefined, target)
      }
    },
    find(path: string) {
      const found = router.find('GET', path)
      return found ? { target: found.store as Socketed, params: found.params } : undefined
    }
  }
}
export type Sockets = ReturnType<typeof createSockets>
