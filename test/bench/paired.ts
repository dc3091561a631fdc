import { costOf } from './cost.ts'
import type { Load } from './load.ts'
import { inTurns, median, range } from './rounds.ts'
import type { PlatformRunner } from './runners.ts'

const PATH = '/v1/agents/run'
export const TOKENS = 20
const LEAD_SECONDS = 0.5

/** What runs took in one round. */
interface Round {
  /** Runs a second. */
  readonly rate: number
  /** Milliseconds of one in the middle. */
  readonly latency: number
  /** Microseconds of a run, of the server and of its database together, with all that comes of it. */
  readonly cpu: number
}

/** One figure of both sides. */
export interface Figure {
  /** First to second, the median of the rounds'. */
  readonly ratio: number
  /** Medians of both, the ratio's quarters, for people. */
  readonly shown: string
}

/**
 * Asks for runs until they are compiled, and has the tables known to the planner, as a server has them within a minute; that of
 * the tests never does.
 */
export async function warm(load: Load, runner: PlatformRunner, requests: number): Promise<void> {
  await send(load, runner, 64, { requests })
  await runner.ask('settled')
  await runner.knex.raw('vacuum (analyze)')
  await send(load, runner, 64, { requests: requests / 4 })
  await runner.ask('settled')
}

async function send(load: Load, runner: PlatformRunner, connections: number, until: object) {
  const bodies = [await runner.body({ tokens: TOKENS })]
  const result = await load(runner, { paths: [PATH], bodies, connections, ...until })
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.requests} runs failed: ${result.failure}`)
  return result
}

async function round(
  load: Load,
  runner: PlatformRunner,
  connections: number,
  seconds: number
): Promise<Round> {
  let [rate, latency] = [0, 0]
  const { server, database } = await costOf(runner, async () => {
    // What it leaves to be done later is done in the time that is measured.
    const lead = await send(load, runner, connections, { seconds: LEAD_SECONDS })
    const { requests, ms, p50 } = await send(load, runner, connections, { seconds })
    rate = (requests / ms) * 1_000
    latency = p50
    await runner.ask('settled')
    return lead.requests + requests
  })
  return { rate, latency, cpu: server + database }
}

/**
 * Runs of two platforms in many short rounds, in turns: what else the machine does falls on both alike. CPU time says the same
 * on a machine that is busy, where runs a second say how busy it is.
 */
export async function runsInTurns(
  load: Load,
  on: PlatformRunner,
  off: PlatformRunner,
  connections: number,
  quick: boolean
): Promise<Readonly<Record<keyof Round, Figure>>> {
  const [rounds, seconds] = quick ? [5, 1] : [13, 1.5]
  const side = (runner: PlatformRunner) => () => round(load, runner, connections, seconds)
  const pairs = await inTurns(rounds, side(on), side(off))
  const figure = (of: keyof Round, digits = 0): Figure => {
    const ratios = pairs.map(([first, second]) => first[of] / second[of]).sort((a, b) => a - b)
    const quarter = Math.floor(ratios.length / 4)
    const both = [0, 1].map((side) => median(pairs.map((pair) => (pair[side] as Round)[of])).toFixed(digits))
    const spread = range([ratios.at(quarter), ratios.at(-1 - quarter)] as [number, number])
    return { ratio: median(ratios), shown: `${median(ratios).toFixed(2)} (${spread}; ${both.join(' / ')})` }
  }
  return { rate: figure('rate'), latency: figure('latency', 2), cpu: figure('cpu') }
}
