import { connect, createServer } from 'node:net'
import type { Duplex } from 'node:stream'

/** A port of this computer's own loopback leads to the platform's proxy, which decides what may be reached. */
export function forward(port: number, dial: () => Duplex): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = dial()
    inner.pipe(outer).pipe(inner)
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
  })
  return new Promise((resolve) => {
    // Without it nothing is reached, which the programs inside see.
    server.on('error', () => resolve())
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** By a socket in the computer's file system. */
export const bySocket = (path: string) => (): Duplex => connect({ path, allowHalfOpen: true })
