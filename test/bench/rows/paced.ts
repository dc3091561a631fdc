import type { Callers } from '../callers.ts'
import { startCallers } from '../callers.ts'
import type { Cost } from '../cost.ts'
import { costOf } from '../cost.ts'
import { startModel } from '../models.ts'
import { inTurns, median, ROUNDS, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import type { Runner } from '../runners.ts'
import { startProxy, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run/stream'
const STREAMS = 20
const REACH = 3

/** What a token cost of streams with one each `delay` ms. */
async function stream(callers: Callers, to: Runner, tokens: number, delay: number): Promise<Cost> {
  const body = await to.body({ tokens, delay })
  return costOf(to, async () => {
    const result = await callers.streams(to, { path: PATH, body, count: STREAMS, connections: STREAMS })
    if (result.tokens !== STREAMS * tokens)
      throw new Error(`${result.tokens} of ${STREAMS * tokens} tokens came`)
    return result.tokens
  })
}

/** Streamed runs with a token now and then, as models speak, against passing them on. */
export const measure: Measure = async (scope, quick) => {
  const callers = await startCallers(scope)
  const model = await startModel(scope)
  const proxy = await startProxy(scope, model)
  const ours = await startRuns(scope, model)
  for (const side of [proxy, ours]) await stream(callers, side, 2_000, 1)
  const tokens = quick ? 200 : 400
  const pairs = await inTurns(
    quick ? 3 : ROUNDS,
    () => stream(callers, ours, tokens, 10),
    () => stream(callers, proxy, tokens, 10)
  )
  const ratios = pairs.map(([one, other]) => one.server / other.server)
  const ratio = median(ratios)
  const [own, passed] = [0, 1].map((side) =>
    median(pairs.map((pair) => (pair[side] as Cost).server)).toFixed(1)
  )
  const database = median(pairs.map(([{ database }]) => database)).toFixed(1)
  return [
    {
      what: `a token each 10 ms in ${STREAMS} streams: CPU of the server, against passing it on`,
      reach: `≤ ${REACH}×`,
      measured: `${ratio.toFixed(2)}× (${range([Math.min(...ratios), Math.max(...ratios)])}; ${own} / ${passed} µs; of PostgreSQL ${database} µs)`,
      met: ratio <= REACH
    }
  ]
}
