import type { Served } from './platform.ts'
import type { Scope } from './scope.ts'
import { startSide } from './side.ts'

/** Until so many requests were sent, or for so many seconds. */
export interface LoadOrder {
  readonly url: string
  readonly key?: string
  /** One after another. */
  readonly paths: readonly string[]
  /** Sent to them, one after another, as POST. */
  readonly bodies?: readonly object[]
  readonly connections: number
  readonly requests?: number
  readonly seconds?: number
  /** A second, whether those before were answered or not; left out: each connection's next one follows its reply. */
  readonly rate?: number
}

/** Times in milliseconds, as the caller sees them. */
export interface LoadResult {
  readonly requests: number
  /** Replies other than 200 to 202, and connections that were cut. */
  readonly failed: number
  readonly failure?: string
  readonly ms: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

type How = Omit<LoadOrder, 'url' | 'key'>
export type Load = (to: Served, how: How) => Promise<LoadResult>

/** Sends requests from a process of its own, so that a server's CPU is its own. */
export async function startLoad(scope: Scope): Promise<Load> {
  const side = await startSide(scope, 'load')
  return ({ url, key }, how) => side.ask('run', { url, key, ...how })
}

/** Microseconds of the server's CPU that one request took. Throws when a request failed. */
export async function cpuARequest(load: Load, to: Served, how: How): Promise<number> {
  const before = await to.ask<number>('usage')
  const { requests, failed, failure } = await load(to, how)
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed: ${failure}`)
  return ((await to.ask<number>('usage')) - before) / requests
}
