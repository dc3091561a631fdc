import type { Cost } from '../cost.ts'
import { costOf } from '../cost.ts'
import type { Load } from '../load.ts'
import { startLoad } from '../load.ts'
import type { Model } from '../models.ts'
import { startModel, WORD } from '../models.ts'
import { inTurns, median, ROUNDS, range } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Keeper } from '../runners.ts'
import { startFloor, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run'
const TOKENS = 20
/** Runs until everything that is hot is compiled. */
const WARM = 6_000
const ROWS = [
  { connections: 64, reach: 1 },
  { connections: 1, reach: 0.7 }
]
const CPU_REACH = 1.2

interface Round extends Cost {
  /** Runs a second. */
  readonly rate: number
}

/** Asks a runner for runs, and counts them so that its record can be held against that. */
async function createAsker(load: Load, runner: Keeper) {
  const body = await runner.body({ tokens: TOKENS })
  let asked = 0

  async function send(connections: number, until: { requests: number } | { seconds: number }) {
    const order = { paths: [PATH], bodies: [body], connections, ...until }
    const { requests, failed, failure, ms } = await load(runner, order)
    if (failed > 0) throw new Error(`${failed} of ${requests} runs failed: ${failure}`)
    asked += requests
    return { requests, ms }
  }

  return {
    asked: () => asked,
    warm: () => send(64, { requests: WARM }),
    async round(connections: number, seconds: number): Promise<Round> {
      let rate = 0
      const cost = await costOf(runner, async () => {
        const { requests, ms } = await send(connections, { seconds })
        rate = (requests / ms) * 1_000
        return requests
      })
      return { rate, ...cost }
    },
    /** Throws unless a reply has all that the model said. */
    async try() {
      const reply = await fetch(runner.url + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${runner.key}` },
        body: JSON.stringify(body)
      })
      const text = await reply.text()
      if (reply.status !== 200 || JSON.parse(text).data.content !== WORD.repeat(TOKENS))
        throw new Error(`A run gave ${reply.status} ${text}`)
      asked++
    },
    /** Throws unless every run and every token lies in the database. */
    async kept() {
      const { runs, tokens } = await runner.stored()
      if (runs !== asked || tokens !== asked * TOKENS)
        throw new Error(`Of ${asked} runs ${runs} were kept, with ${tokens} tokens`)
    }
  }
}

async function heard(model: Model, asked: number): Promise<void> {
  const { requests } = await model.counts()
  if (requests !== asked) throw new Error(`The model was asked ${requests} times for ${asked} runs`)
}

type Pairs = readonly (readonly [Round, Round])[]

/** One figure of both sides: medians, and the median and the spread of their ratios. */
function figure(pairs: Pairs, of: keyof Round) {
  const ratios = pairs.map(([ours, floor]) => ours[of] / floor[of])
  const both = [0, 1].map((side) => Math.round(median(pairs.map((pair) => (pair[side] as Round)[of]))))
  return {
    ratio: median(ratios),
    spread: range([Math.min(...ratios), Math.max(...ratios)]),
    both: both.join(' / ')
  }
}

/** Whole runs, not streamed: by the gateway and kept, against the floor. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const model = await startModel(scope)
  const floor = await createAsker(load, await startFloor(scope, model))
  const ours = await createAsker(load, await startRuns(scope, model))
  for (const side of [floor, ours]) {
    await side.try()
    await side.warm()
    await side.kept()
  }
  const rows: Row[] = []
  const cpus: Row[] = []
  for (const { connections, reach } of ROWS) {
    const pairs = await inTurns(
      quick ? 3 : ROUNDS,
      () => ours.round(connections, quick ? 1 : 3),
      () => floor.round(connections, quick ? 1 : 3)
    )
    const rate = figure(pairs, 'rate')
    const server = figure(pairs, 'server')
    const database = figure(pairs, 'database')
    rows.push({
      what: `durable runs a second, ${connections} at a time, against the floor`,
      reach: `≥ ${reach.toFixed(1)}`,
      measured: `${rate.ratio.toFixed(2)} (${rate.spread}; ${rate.both})`,
      met: rate.ratio >= reach
    })
    cpus.push({
      what: `CPU of the server a run, ${connections} at a time, against the floor’s`,
      reach: `≤ ${CPU_REACH}×`,
      measured: `${server.ratio.toFixed(2)}× (${server.both} µs; of PostgreSQL ${database.both} µs)`,
      met: server.ratio <= CPU_REACH
    })
  }
  for (const side of [floor, ours]) await side.kept()
  await heard(model, floor.asked() + ours.asked())
  return [...rows, ...cpus]
}
