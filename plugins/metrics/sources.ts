import type { Kernel } from 'agent-platform'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Metric } from './contract.ts'

type Deps = Pick<Kernel, 'points' | 'log'>

/** What packs tell of themselves, as it is at this reading: a registry of each, so that what is wrong with one costs no other. */
export const sourceMetrics = ({ points, log }: Deps): readonly Registry[] =>
  points.all('metrics.source').flatMap(({ pack, value }) => {
    try {
      const registry = new Registry()
      for (const metric of value.read()) add(registry, `agent_platform_${pack.replaceAll('-', '_')}_`, metric)
      return [registry]
    } catch (error) {
      log.warn({ err: error, of: pack }, 'metrics of a pack could not be read')
      return []
    }
  })

function add(registry: Registry, prefix: string, { name, help, type, samples }: Metric): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {})
  const about = { name: prefix + name, help, labelNames, registers: [registry] }
  if (type === 'gauge') {
    const gauge = new Gauge(about)
    for (const { labels = {}, value } of samples) gauge.set(labels, value)
  } else {
    const counter = new Counter(about)
    for (const { labels = {}, value } of samples) counter.inc(labels, value)
  }
}
