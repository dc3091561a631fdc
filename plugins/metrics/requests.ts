import type { Kernel } from 'agent-platform'
import { Counter, Histogram, Registry } from 'prom-client'

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** In place of a pack and route where the router found none: a URL is nobody's business and has no end. */
const NONE = 'none'

/** Requests of every generation, from now until `close`. */
export function createRequestMetrics(packs: Pick<Kernel['packs'], 'observe'>) {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests that were answered; status 499 where the caller left before.',
    labelNames: ['pack', 'route', 'method', 'status'],
    registers
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its reply; a stream lasts until it is closed.',
    labelNames: ['pack', 'route', 'method'],
    buckets: BUCKETS,
    registers
  })
  const hearing = packs.observe(({ pack = NONE, route = NONE, method, status, ms }) => {
    requests.inc({ pack, route, method, status })
    durations.observe({ pack, route, method }, ms / 1_000)
  })
  return { registry, close: () => hearing[Symbol.dispose]() }
}
