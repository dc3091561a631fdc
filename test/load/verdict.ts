import Table from 'cli-table3'
import type { Sample } from './traffic.ts'

export interface Reading extends Sample {
  readonly second: number
  /** Operations a second. */
  readonly rate: number
  /** Cores of each instance. */
  readonly cpu: readonly number[]
  readonly instances: readonly { readonly rss: number; readonly heap: number; readonly handles: number }[]
  /** Of both instances to the database. */
  readonly connections: number
}

export interface Judged {
  readonly what: string
  readonly found: string
  readonly isMet: boolean
}

const MB = 1_048_576

/** How much it grows in all by the line that lies nearest, as a part of what it is on average. */
export function growth(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((all, one) => all + one, 0) / values.length
  let [above, below] = [0, 0]
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean)
    below += (index - middle) ** 2
  }
  return below === 0 ? 0 : ((above / below) * (values.length - 1)) / mean
}

interface Given {
  readonly readings: readonly Reading[]
  readonly changed: number
  readonly received: number
}

/** `bound`: by how much memory may grow over the last two thirds. */
export function judge({ readings, changed, received }: Given, bound: number): Judged[] {
  const failures = readings.flatMap(({ failed }) => failed)
  const done = readings.reduce((all, one) => all + one.done, 0)
  const streams = readings.reduce((all, one) => all + one.streams, 0)
  const last = readings.slice(Math.ceil(readings.length / 3))
  const perCent = (value: number) => `${(value * 100).toFixed(1)} %`
  const of = (some: readonly Reading[], what: 'rss' | 'heap' | 'handles', index: number) =>
    some.map(({ instances }) => instances[index]?.[what] ?? 0)
  const grown = (what: 'rss' | 'heap') => [0, 1].map((index) => growth(of(last, what, index)))
  const half = Math.floor(last.length / 2)
  // Sockets stay open for a minute after a burst: what leaks stays, so that the least of them grows.
  const handles = [0, 1].map((index) => [
    Math.min(...of(last.slice(0, half), 'handles', index)),
    Math.min(...of(last.slice(half), 'handles', index))
  ]) as [number, number][]
  const most = (some: readonly Reading[]) => Math.max(...some.map(({ connections }) => connections))
  const [before, after] = [most(last.slice(0, half)), most(last.slice(half))]
  return [
    {
      what: 'nothing fails, and no stream has a gap',
      found: `${failures.length} of ${done} failed (${streams} streams)${failures.length > 0 ? `: ${failures[0]}` : ''}`,
      isMet: failures.length === 0 && done > 0 && streams > 0
    },
    {
      what: 'each webhook comes',
      found: `${received} of ${changed}`,
      isMet: received >= changed && changed > 0
    },
    ...(['rss', 'heap'] as const).map((what) => ({
      what: `${what} grows by ${perCent(bound)} at most over the last two thirds`,
      found: grown(what).map(perCent).join(', '),
      isMet: grown(what).every((value) => value <= bound)
    })),
    {
      what: `handles go back to what they were, within ${perCent(bound)}`,
      found: handles.map(([before, after]) => `${before}, then ${after} at least`).join('; '),
      isMet: handles.every(([before, after]) => after <= before * (1 + bound))
    },
    {
      what: 'connections of the database do not grow',
      found: `${before}, then ${after} at most`,
      isMet: after <= before + 4
    }
  ]
}

const columns = [
  's',
  'a second',
  'CPU',
  'p50 ms',
  'p99 ms',
  'open',
  'failed',
  'RSS MB',
  'heap MB',
  'handles',
  'connections'
]

export function rowOf({ instances, ...it }: Reading): string[] {
  const each = (of: 'rss' | 'heap' | 'handles', unit: number) =>
    instances.map((one) => Math.round(one[of] / unit)).join(' ')
  return [
    String(it.second),
    it.rate.toFixed(0),
    it.cpu.map((cores) => cores.toFixed(2)).join(' '),
    it.p50.toFixed(1),
    it.p99.toFixed(1),
    String(it.open),
    String(it.failed.length),
    each('rss', MB),
    each('heap', MB),
    each('handles', 1),
    String(it.connections)
  ]
}

export function tableOf(readings: readonly Reading[]): string {
  const shown = new Table({ head: columns, style: { head: [], border: [] } })
  shown.push(...readings.map(rowOf))
  return shown.toString()
}
