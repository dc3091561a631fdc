import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import type { Registry } from 'prom-client'
import { Gauge, Histogram } from 'prom-client'

const RESOLUTION_MS = 10
const GARBAGE_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5]

type Delay = ReturnType<typeof monitorEventLoopDelay>
const lags: Readonly<Record<string, readonly [help: string, read: (delay: Delay) => number]>> = {
  min: ['The minimum recorded event loop delay.', (delay) => delay.min],
  max: ['The maximum recorded event loop delay.', (delay) => delay.max],
  mean: ['The mean of the recorded event loop delays.', (delay) => delay.mean],
  stddev: ['The standard deviation of the recorded event loop delays.', (delay) => delay.stddev],
  p50: ['The 50th percentile of the recorded event loop delays.', (delay) => delay.percentile(50)],
  p90: ['The 90th percentile of the recorded event loop delays.', (delay) => delay.percentile(90)],
  p99: ['The 99th percentile of the recorded event loop delays.', (delay) => delay.percentile(99)]
}

/** How late the event loop was since the reading before, until disposed. */
export function watchEventLoop(registry: Registry): Disposable {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const gauges = Object.entries(lags).map(([name, [help, read]]) => {
    const gauge = new Gauge({ name: `nodejs_eventloop_lag_${name}_seconds`, help, registers: [] })
    return { gauge, read }
  })
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Lag of event loop in seconds.',
    registers: [registry],
    // Reads for all of them: they follow it in the registry.
    async collect() {
      for (const { gauge, read } of gauges) gauge.set(delay.count > 0 ? read(delay) / 1e9 : 0)
      delay.reset()
      const before = performance.now()
      await new Promise((resolve) => setImmediate(resolve))
      this.set((performance.now() - before) / 1_000)
    }
  })
  for (const { gauge } of gauges) registry.registerMetric(gauge)
  return { [Symbol.dispose]: () => void delay.disable() }
}

const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb']
])

/** Garbage collections, until disposed. */
export function watchGarbage(registry: Registry): Disposable {
  const durations = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    labelNames: ['kind'],
    buckets: GARBAGE_BUCKETS,
    registers: [registry]
  })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { detail: { kind: number } }).detail
      durations.observe({ kind: kinds.get(kind) ?? 'other' }, entry.duration / 1_000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return { [Symbol.dispose]: () => observer.disconnect() }
}
