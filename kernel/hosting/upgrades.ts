import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import createRouter from 'find-my-way'
import { notFound } from '../errors.ts'
import { failureOf, writeFailure } from '../gateway/failures.ts'
import type { Guard } from '../gateway/guard.ts'
import { needOf } from '../gateway/guard.ts'
import type { Open } from '../pack.ts'
import type { Generation } from './generation.ts'
import type { GenerationServer } from './server.ts'

interface Target {
  readonly pack: string
  readonly path: string
  readonly scope: readonly string[] | undefined
  readonly open: Open
}
type Router = ReturnType<typeof createRouter>

/** Upgrade requests never reach a generation's app: the kernel lets them in and hands the socket over. */
export function upgradeHandler({ server, guard }: { server: GenerationServer; guard: Guard }) {
  const routers = new WeakMap<Generation, Router>()

  function routerOf(generation: Generation): Router {
    const known = routers.get(generation)
    if (known) return known
    const router = createRouter({ maxParamLength: 512 })
    for (const [pack, { loaded, upgrades }] of generation.packs)
      for (const [path, open] of upgrades) {
        const { scope, root } = loaded.manifest.upgrade?.[path] ?? {}
        const target: Target = { pack, path: root ? path : `/v1${path}`, scope, open }
        router.on('GET', target.path, () => undefined, target)
      }
    routers.set(generation, router)
    return router
  }

  return async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      const found = routerOf(server.current()).find('GET', pathOf(request))
      if (!found) throw notFound('Route')
      const { pack, path, scope, open } = found.store as Target
      const { authorization, 'x-initiator': initiator } = request.headers
      const principal = await guard.admit(
        authorization,
        initiator as string | undefined,
        needOf('GET', path, scope)
      )
      if (socket.destroyed) return
      const forget = server.live.add({
        pack,
        credential: principal.credential,
        close: () => socket.destroy()
      })
      socket.once('close', forget)
      open(request, socket, head, principal, found.params)
    } catch (error) {
      writeFailure(socket, failureOf(error))
    }
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.search(/[?#;]/)
  return end < 0 ? url : url.slice(0, end)
}
