import { readdirSync } from 'node:fs'
import type { CollectFunction, Gauge as GaugeType } from 'prom-client'
import { Counter, Gauge, Registry } from 'prom-client'
import { watchEventLoop, watchGarbage } from './event-loop.ts'

/**
 * The process and its Node, by the names that `prom-client` gives them in `collectDefaultMetrics`. That one
 * starts observers which nothing can stop again; these end with `close`.
 */
export function createProcessMetrics() {
  const registry = new Registry()
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({ name, help, registers: [registry], collect: set(read) })
  cpu(registry)
  gauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.', () =>
    Math.round(performance.timeOrigin / 1_000)
  )
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss())
  gauge('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', () => memory().heapTotal)
  gauge(
    'nodejs_heap_size_used_bytes',
    'Process heap size used from Node.js in bytes.',
    () => memory().heapUsed
  )
  gauge('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', () => memory().external)
  if (process.platform === 'linux')
    gauge(
      'process_open_fds',
      'Number of open file descriptors.',
      () => readdirSync('/proc/self/fd').length - 1
    )
  resources(registry)
  version(registry)
  const watches = [watchEventLoop(registry), watchGarbage(registry)]
  return {
    registry,
    close() {
      for (const watch of watches) watch[Symbol.dispose]()
    }
  }
}

const memory = () => process.memoryUsage()

function set(read: () => number): CollectFunction<GaugeType> {
  return function () {
    this.set(read())
  }
}

function cpu(registry: Registry) {
  const counter = (name: string, help: string, seconds: (usage: NodeJS.CpuUsage) => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(seconds(process.cpuUsage()) / 1e6)
      }
    })
  counter('process_cpu_user_seconds_total', 'Total user CPU time spent in seconds.', ({ user }) => user)
  counter(
    'process_cpu_system_seconds_total',
    'Total system CPU time spent in seconds.',
    ({ system }) => system
  )
  counter(
    'process_cpu_seconds_total',
    'Total user and system CPU time spent in seconds.',
    ({ user, system }) => user + system
  )
}

function resources(registry: Registry) {
  new Gauge({
    name: 'nodejs_active_resources',
    help: 'Number of active resources that are currently keeping the event loop alive, grouped by async resource type.',
    labelNames: ['type'],
    registers: [registry],
    collect() {
      this.reset()
      for (const type of process.getActiveResourcesInfo()) this.inc({ type })
    }
  })
}

function version(registry: Registry) {
  const [major, minor, patch] = process.versions.node.split('.')
  new Gauge({
    name: 'nodejs_version_info',
    help: 'Node.js version info.',
    labelNames: ['version', 'major', 'minor', 'patch'],
    registers: [registry]
  }).set({ version: process.version, major, minor, patch } as Record<string, string>, 1)
}
