import type { Served } from './platform.ts'
import type { Scope } from './scope.ts'
import { startSide } from './side.ts'

/** Streams, a number of them at a time, each read to its end. */
export interface StreamsOrder {
  readonly url: string
  readonly key?: string
  readonly path: string
  /** Makes it a POST. */
  readonly body?: object
  readonly count: number
  readonly connections: number
}

/** Times in milliseconds, as the caller sees them. */
export interface StreamsResult {
  readonly ms: number
  readonly events: number
  readonly tokens: number
  /** From the request to the first token, and to the end. */
  readonly first: Spread
  readonly whole: Spread
  /** From the time that stands in a token to its arrival; of no count where there is none. */
  readonly lag: Spread
}

export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

/** An event of a stream that is followed, and when it came: microseconds of the machine's monotonic clock. */
export interface Arrival {
  readonly at: number
  readonly event: {
    readonly type: string
    readonly seq: number
    readonly status?: unknown
    readonly content?: string
    readonly [field: string]: unknown
  }
}

type To<T> = Omit<T, 'url' | 'key'>

export interface Callers {
  /** Throws unless every stream is whole: no event is missing, and the last one ends it well. */
  streams(to: Served, how: To<StreamsOrder>): Promise<StreamsResult>
  /** Begins a run and leaves it when its first event has come; its id. */
  begin(to: Served, body: object): Promise<string>
  /** Follows runs, until `followed`; resolves when `events` events of each have come. */
  follow(to: Served, how: { runs: readonly string[]; events: number }): Promise<void>
  /** Everything that came of the runs, in their order, when all have ended. */
  followed(): Promise<Arrival[][]>
}

/** Reads streams in a process of its own, so that a server's CPU is its own. */
export async function startCallers(scope: Scope): Promise<Callers> {
  const side = await startSide(scope, 'callers')
  const at = ({ url, key }: Served) => ({ url, key })
  return {
    streams: (to, how) => side.ask('streams', { ...at(to), ...how }),
    begin: (to, body) => side.ask('begin', { ...at(to), body }),
    follow: (to, how) => side.ask('follow', { ...at(to), ...how }),
    followed: () => side.ask('followed')
  }
}

/** Now, on the clock of `Arrival`. */
export const monotonic = (): number => Number(process.hrtime.bigint() / 1_000n)
