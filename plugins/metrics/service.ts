import type { Kernel } from 'agent-platform'
import { Registry } from 'prom-client'
import { createPlatformMetrics } from './platform.ts'
import { processMetrics } from './process.ts'
import { createRequestMetrics } from './requests.ts'
import { sourceMetrics } from './sources.ts'

export type MetricsService = ReturnType<typeof createMetricsService>

type Deps = Pick<Kernel, 'packs' | 'points' | 'shared' | 'platform' | 'log'>

/** Everything there is to measure. What counts up lies in `shared`, so that a reload takes nothing back. */
export function createMetricsService({ packs, points, shared, platform, log }: Deps) {
  const state = createPlatformMetrics(platform.version)
  const counting = () =>
    shared(
      'counting/1',
      async () => createRequestMetrics(packs),
      async (it) => it.close()
    )

  const heldFacts = () =>
    packs.backlog().catch((error) => {
      log.warn({ err: error }, 'held facts could not be counted')
      return undefined
    })

  return {
    /** Counts from now on. */
    async start() {
      processMetrics()
      await counting()
    },

    /** In the text format of Prometheus; without what the database knows while it is away. */
    async read(): Promise<{ text: string; contentType: string }> {
      const [requests, held] = await Promise.all([counting(), heldFacts()])
      state.set(packs.readings(), held)
      const own = [state.registry, requests.registry, processMetrics()]
      const texts = [...own, ...sourceMetrics({ points, log })].map((registry) => registry.metrics())
      return { text: (await Promise.all(texts)).join(''), contentType: Registry.PROMETHEUS_CONTENT_TYPE }
    }
  }
}
