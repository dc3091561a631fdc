import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { notFound } from '../errors.ts'
import { failureOf, writeFailure } from '../gateway/failures.ts'
import type { Guard } from '../gateway/guard.ts'
import { needOf } from '../gateway/guard.ts'
import type { GenerationServer } from './server.ts'

/** Upgrade requests never reach a generation's app: the kernel lets them in and hands the socket over. */
export function upgradeHandler({ server, guard }: { server: GenerationServer; guard: Guard }) {
  return async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      const found = server.current().sockets.find(pathOf(request))
      if (!found) throw notFound('Route')
      const { pack, path, scope, open } = found.target
      const principal = await guard.admit(request, needOf('GET', path, scope))
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
