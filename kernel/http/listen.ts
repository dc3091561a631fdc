import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where it listens. Port 0 and no address for the path of a socket. */
export interface Listening {
  readonly port: number
  readonly url: string
}

/** Resolves when the server accepts connections on a port, or at the path of a socket. */
export async function listenOn(server: Server, port: number | string, host: string): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const at = typeof port === 'string' ? { path: port } : { port, host }
    server.listen({ ...at, backlog: 4_096 }, resolve)
  })
  const address = server.address()
  if (typeof address === 'string') return { port: 0, url: '' }
  return { port: (address as AddressInfo).port, url: urlOf(address as AddressInfo) }
}

/** Where this host reaches what listens there; on every address it is loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const host = loopback[address] ?? address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}
