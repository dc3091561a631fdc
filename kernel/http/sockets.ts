import createRouter from 'find-my-way'
import type { Open } from '../contract/pack.ts'
import type { Manifest } from '../packs/loader/manifest.ts'
import type { SocketAccess } from './access.ts'
import type { Wanted } from './authorization.ts'
import { wantedOf } from './authorization.ts'

/** Who opens sockets at a path. */
interface Socketed {
  readonly pack: string
  readonly wanted: Wanted & Pick<SocketAccess, 'by'>
  readonly open: Open
}

/** The upgrade requests that one generation takes. */
export function createSockets() {
  const router = createRouter({ maxParamLength: 512 })
  return {
    /** Throws where two packs, or one pack twice, would open the same path. */
    add({ name, upgrade = {} }: Manifest, deps: unknown): void {
      for (const [given, { open, by, ...access }] of Object.entries(upgrade)) {
        const path = access.root ? given : `/v1${given}`
        const wanted = { ...wantedOf('GET', path, access), by: by?.(deps as never) }
        const target: Socketed = { pack: name, wanted, open: open(deps) }
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
