import type { Callers } from '../callers.ts'
import { startCallers } from '../callers.ts'
import type { Manner } from '../models.ts'
import { startModel } from '../models.ts'
import type { Compared } from '../rounds.ts'
import { compare, ROUNDS, range } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Keeper, Runner } from '../runners.ts'
import { startFloor, startProxy, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run/stream'

interface Streaming {
  readonly manner: Manner
  readonly count: number
  readonly connections: number
}

/** Throws unless every token has come. */
async function stream(callers: Callers, to: Runner, { manner, count, connections }: Streaming) {
  const body = await to.body(manner)
  const result = await callers.streams(to, { path: PATH, body, count, connections })
  const expected = count * manner.tokens
  if (result.tokens !== expected) throw new Error(`${result.tokens} of ${expected} tokens came`)
  return result
}

async function rate(callers: Callers, to: Runner, how: Streaming): Promise<number> {
  const { tokens, ms } = await stream(callers, to, how)
  return (tokens / ms) * 1_000
}

/** Microseconds of the server's CPU that one token took. */
async function cpu(callers: Callers, to: Runner, how: Streaming): Promise<number> {
  const before = await to.ask<number>('usage')
  const { tokens } = await stream(callers, to, how)
  return ((await to.ask<number>('usage')) - before) / tokens
}

async function kept(runner: Keeper, tokens: number): Promise<void> {
  const stored = await runner.stored()
  if (stored.tokens !== tokens) throw new Error(`Of ${tokens} tokens ${stored.tokens} were kept`)
}

function cpuRow(what: string, reach: number, { ratio, spread, first, second }: Compared): Row {
  return {
    what,
    reach: `≤ ${reach}×`,
    measured: `${ratio.toFixed(2)}× (${range(spread)}; ${first.toFixed(2)} / ${second.toFixed(2)} µs)`,
    met: ratio <= reach
  }
}

/** Streamed runs: by the gateway and kept, against the floor and against passing the stream on. */
export const measure: Measure = async (scope, quick) => {
  const callers = await startCallers(scope)
  const model = await startModel(scope)
  const floor = await startFloor(scope, model)
  const proxy = await startProxy(scope, model)
  const ours = await startRuns(scope, model)
  const fast = { manner: { tokens: 1_000 }, count: quick ? 200 : 400, connections: 50 }
  for (const side of [floor, proxy, ours]) await stream(callers, side, fast)
  for (const side of [floor, ours]) await kept(side, fast.count * fast.manner.tokens)
  const speed = await compare(
    quick ? 3 : ROUNDS,
    () => rate(callers, ours, fast),
    () => rate(callers, floor, fast)
  )
  const fastCpu = await compare(
    quick ? 3 : ROUNDS,
    () => cpu(callers, ours, fast),
    () => cpu(callers, proxy, fast)
  )
  const thousands = [speed.first, speed.second].map((it) => `${Math.round(it / 1_000)}k`).join(' / ')
  return [
    {
      what: 'tokens a second, 50 streams of 1,000 tokens at a time, against the floor',
      reach: '≥ 1.5',
      measured: `${speed.ratio.toFixed(2)} (${range(speed.spread)}; ${thousands})`,
      met: speed.ratio >= 1.5
    },
    cpuRow('CPU of the server a streamed token, against passing it on', 2.5, fastCpu)
  ]
}
