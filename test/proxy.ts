import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Connection } from './database.ts'

/** What `net.connect` needs to reach a server. */
type Target = { host: string; port: number } | { path: string }

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A way to a server that can be cut (connections are closed and
 *  refused), hung (nothing passes) or deaf (requests pass, replies are lost), and mended. */
export async function proxy(t: Scope, target: Target) {
  const open = new Set<Socket>()
  let state: 'open' | 'cut' | 'hung' | 'deaf' = 'open'
  const server = createServer((near) => {
    open.add(near)
    near.on('close', () => open.delete(near)).on('error', () => {})
    if (state === 'cut') return near.destroy()
    if (state === 'hung') return near.pause()
    const far = connect(target)
    open.add(far)
    far.on('close', () => {
      open.delete(far)
      near.destroy()
    })
    far.on('error', () => {})
    near.on('close', () => far.destroy())
    near.on('data', (chunk) => void ((state === 'open' || state === 'deaf') && far.write(chunk)))
    far.on('data', (chunk) => void (state === 'open' && near.write(chunk)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      closeAll()
    },
    hang() {
      state = 'hung'
    },
    deafen() {
      state = 'deaf'
    },
    /** What comes from now on passes; what hangs hangs on. */
    open() {
      state = 'open'
    },
    mend() {
      if (state !== 'cut') closeAll()
      state = 'open'
    }
  }
}

/** The same to a database, and how it is connected to by that way. */
export async function proxyOf(t: Scope, connection: Connection) {
  const { host = '', port = 5432 } = connection
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  return { way, connection: { ...connection, host: way.host, port: way.port } }
}
