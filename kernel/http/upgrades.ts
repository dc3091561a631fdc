import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { notFound } from '../contract/errors.ts'
import type { Asked } from './access.ts'
import { failureOf, writeFailure } from './failures.ts'
import type { Guard } from './guard.ts'
import type { GenerationServer } from './server.ts'

/** Upgrade requests never reach a generation's app: the kernel lets them in and hands the socket over. */
export function upgradeHandler({ server, guard }: { server: GenerationServer; guard: Guard }) {
  return async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      const found = server.current().sockets.find(pathOf(request))
      if (!found) throw notFound('Route')
      const { pack, wanted, open } = found.target
      const { params } = found
      const { principal, endsAt } = await guard.admit(request, askedBy(request, params), wanted)
      if (socket.destroyed) return
      const forget = server.live.add({
        pack,
        credential: principal.credential,
        by: principal,
        endsAt,
        close: () => socket.destroy()
      })
      socket.once('close', forget)
      open(request, socket, head, principal, params)
    } catch (error) {
      writeFailure(socket, failureOf(error))
    }
  }
}

/** An upgrade request as `by` of a route would see it. */
function askedBy(request: IncomingMessage, params: Asked['params']): Asked {
  const { headers, url = '/', socket } = request
  const at = url.indexOf('?')
  const query = at < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at + 1)))
  return { headers, url, params, query, ip: socket.remoteAddress ?? '' }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.search(/[?#;]/)
  return end < 0 ? url : url.slice(0, end)
}
