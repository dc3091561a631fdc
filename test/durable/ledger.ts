import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Scope {
  teardown(work: () => unknown): unknown
}

interface Hold {
  isFor(path: string, what: string): boolean
  readonly asked: PromiseWithResolvers<void>
  readonly released: PromiseWithResolvers<void>
}

/**
 * A service outside, which notes what it was asked for: at `/orders` by the idempotency key, so that what is asked for
 * again is done once, and at `/payments` each time.
 */
export async function startLedger(t: Scope) {
  const orders = new Map<string, string>()
  const payments: string[] = []
  const holds = new Set<Hold>()
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { what } = JSON.parse(Buffer.concat(pieces).toString())
    if (request.url === '/payments') payments.push(what)
    else orders.set(String(request.headers['idempotency-key'] ?? `none ${orders.size}`), what)
    for (const hold of holds) {
      if (!hold.isFor(request.url ?? '', what)) continue
      hold.asked.resolve()
      await hold.released.promise
    }
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
    /** What is asked for there is noted, but not answered until `release`. `asked` resolves when the first of it has come. */
    hold(isFor: Hold['isFor'] = () => true): { readonly asked: Promise<void>; release(): void } {
      const hold = {
        isFor,
        asked: Promise.withResolvers<void>(),
        released: Promise.withResolvers<void>()
      }
      holds.add(hold)
      return {
        asked: hold.asked.promise,
        release() {
          holds.delete(hold)
          hold.released.resolve()
        }
      }
    }
  }
}
