import type { Load } from '../load.ts'
import { startLoad } from '../load.ts'
import type { Model } from '../models.ts'
import { startModel, WORD } from '../models.ts'
import { compare, median, range } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Keeper } from '../runners.ts'
import { startFloor, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run'
const TOKENS = 20
/** Runs until everything that is hot is compiled. */
const WARM = 6_000
/** Short, so that both sides of a round find the machine in the same mood. */
const SECONDS = 0.5
const ROWS = [
  { connections: 64, reach: 1 },
  { connections: 1, reach: 0.7 }
]

/** Asks a runner for runs, and counts them so that its record can be held against that. */
async function createAsker(load: Load, runner: Keeper) {
  const body = await runner.body({ tokens: TOKENS })
  let asked = 0
  let cpus: number[] = []

  async function send(connections: number, until: { requests: number } | { seconds: number }) {
    const before = await runner.ask<number>('usage')
    const { requests, failed, failure, ms } = await load(runner, {
      paths: [PATH],
      bodies: [body],
      connections,
      ...until
    })
    if (failed > 0) throw new Error(`${failed} of ${requests} runs failed: ${failure}`)
    asked += requests
    cpus.push(((await runner.ask<number>('usage')) - before) / requests)
    return (requests / ms) * 1_000
  }

  return {
    asked: () => asked,
    warm: () => send(64, { requests: WARM }),
    rate: (connections: number) => send(connections, { seconds: SECONDS }),
    /** Microseconds of the server's CPU that a run took, since this was asked last. */
    cpu() {
      const each = median(cpus)
      cpus = []
      return Math.round(each)
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
    side.cpu()
  }
  const rows: Row[] = []
  for (const { connections, reach } of ROWS) {
    const { ratio, spread, first, second } = await compare(
      quick ? 16 : 40,
      () => ours.rate(connections),
      () => floor.rate(connections)
    )
    rows.push({
      what: `durable runs a second, ${connections} at a time, against the floor`,
      reach: `≥ ${reach.toFixed(1)}`,
      measured: `${ratio.toFixed(2)} (${range(spread)}; ${Math.round(first)} / ${Math.round(second)}; CPU of the server ${ours.cpu()} / ${floor.cpu()} µs)`,
      met: ratio >= reach
    })
  }
  for (const side of [floor, ours]) await side.kept()
  await heard(model, floor.asked() + ours.asked())
  return rows
}
