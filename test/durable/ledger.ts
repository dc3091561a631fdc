import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Scope {
  teardown(work: () => unknown): unknown
}

/**
 * A service outside, which notes what it was asked for: at `/orders` by the idempotency key, so that what is asked for
 * again is done once, and at `/payments` each time.
 */
export async function startLedger(t: Scope) {
  const orders = new Map<string, string>()
  const payments: string[] = []
  let held: Promise<unknown> | undefined
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { what } = JSON.parse(Buffer.concat(pieces).toString())
    if (request.url === '/payments') payments.push(what)
    else orders.set(String(request.headers['idempotency-key'] ?? `none ${orders.size}`), what)
    await held
    // Long enough for a process to die in the middle.
    await delay(20)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ done: what }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often it was paid. */
    paid: (what: string): number => payments.filter((it) => it === what).length,
    /** How often it was ordered, by different keys. */
    ordered: (what: string): number => [...orders.values()].filter((it) => it === what).length,
    /** Nothing is answered until the test says so. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    }
  }
}
