import type { Callers, StreamsResult } from '../callers.ts'
import { startCallers } from '../callers.ts'
import type { Manner } from '../models.ts'
import { startModel } from '../models.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Runner } from '../runners.ts'
import { startProxy, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run/stream'
const WARM = 3_000
type Look = (result: StreamsResult) => number
type Pairs = readonly (readonly [StreamsResult, StreamsResult])[]

async function stream(callers: Callers, to: Runner, manner: Manner, count: number, connections: number) {
  const result = await callers.streams(to, { path: PATH, body: await to.body(manner), count, connections })
  const missed = count * manner.tokens - result.lag.count
  if (missed > 0) throw new Error(`${missed} tokens came without their time`)
  return result
}

function row(what: string, reach: number, pairs: Pairs, look: Look): Row {
  const added = median(pairs.map(([ours, proxy]) => look(ours) - look(proxy)))
  const each = [0, 1].map((side) => median(pairs.map((pair) => look(pair[side] as StreamsResult))).toFixed(2))
  return {
    what,
    reach: `≤ ${reach} ms`,
    measured: `${added.toFixed(2)} ms (${each.join(' − ')})`,
    met: added <= reach
  }
}

/** What it takes longer until a token is there, because it is kept first. */
export const measure: Measure = async (scope, quick) => {
  const callers = await startCallers(scope)
  const model = await startModel(scope)
  const proxy = await startProxy(scope, model)
  const ours = await startRuns(scope, model)
  const many = { tokens: quick ? 150 : 300, delay: 10, stamped: true }
  const few = { tokens: 3, delay: 10, stamped: true }
  // Until what is hot is compiled: a run, and a token.
  for (const side of [proxy, ours]) {
    await stream(callers, side, { ...few, delay: 1 }, WARM, 20)
    await stream(callers, side, { ...many, delay: 1 }, 80, 20)
  }

  const lags = await inTurns(
    quick ? 3 : ROUNDS,
    () => stream(callers, ours, many, 20, 20),
    () => stream(callers, proxy, many, 20, 20)
  )
  const firsts = await inTurns(
    quick ? 3 : ROUNDS,
    () => stream(callers, ours, few, 40, 1),
    () => stream(callers, proxy, few, 40, 1)
  )
  return [
    row('first token, added to that of passing it on', 2, firsts, ({ first }) => first.p50),
    row(
      'latency that durability adds to 20 streams with a token each 10 ms, p99',
      6,
      lags,
      ({ lag }) => lag.p99
    ),
    row('… p50', 1.5, lags, ({ lag }) => lag.p50)
  ]
}
