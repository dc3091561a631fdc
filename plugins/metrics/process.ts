import type { Registry } from 'prom-client'
import { collectDefaultMetrics, register } from 'prom-client'

/**
 * The process and its Node, by the names of `prom-client`. Its observers cannot be stopped, so they are begun once in the
 * life of the process, in its own registry, which all versions of this pack find again.
 */
export function processMetrics(): Registry {
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register })
  return register
}
