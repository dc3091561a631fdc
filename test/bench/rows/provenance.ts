import { verifyBundle } from '../../../cli/provenance/verify.ts'
import { startLoad } from '../load.ts'
import { startModel } from '../models.ts'
import { runsInTurns, TOKENS, warm } from '../paired.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { PlatformRunner } from '../runners.ts'
import { startRuns } from '../runners.ts'

const PATH = '/v1/agents/run'
const ITEMS = 1_000
const TIMES = 9

const timeOf = async (work: () => unknown) => {
  const times: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function bundles(runner: PlatformRunner): Promise<Row[]> {
  const headers = { authorization: `Bearer ${runner.key}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object) => {
    const sent = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
    const reply = await fetch(runner.url + path, sent)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
    return text
  }
  const body = await runner.body({ tokens: TOKENS })
  const { sessionId } = JSON.parse(await ask(PATH, body)).data
  await runner.ask('settled')
  const path = `/v1/provenance/traces/${sessionId}/bundle`
  const { items } = JSON.parse(await ask(path)).data
  for (let left = ITEMS - items.length; left > 0; left -= items.length)
    await ask(PATH, { ...body, sessionId })
  await runner.ask('settled')
  const text = await ask(path)
  const { bundle } = JSON.parse(text).data
  const { hint } = bundle.verificationMaterial.publicKey
  const pem = JSON.parse(await ask(`/v1/provenance/keys/${hint}`)).data.publicKey
  const { about, faults } = verifyBundle(text, pem)
  if (faults.length > 0 || !about || about.items < ITEMS)
    throw new Error('The bundle is not what it should be')
  const made = await timeOf(() => ask(path))
  const verified = await timeOf(() => verifyBundle(text, pem))
  const row = (what: string, ms: number, reach: number): Row => ({
    what: `a bundle of a session of ${about.items} items ${what}`,
    reach: `≤ ${reach} ms`,
    measured: `${ms.toFixed(1)} ms`,
    met: ms <= reach
  })
  return [row('made', made, 150), row('verified', verified, 100)]
}

/** What it costs runs that they are recorded, and how long bundles take. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const model = await startModel(scope)
  const [on, off] = [await startRuns(scope, model, undefined, ['provenance']), await startRuns(scope, model)]
  for (const runner of [on, off]) await warm(load, runner, quick ? 1_000 : 6_000)
  const { rate, cpu } = await runsInTurns(load, on, off, 64, quick)
  const recorded: Row = {
    what: 'runs a second that are recorded as `metadata`, against runs without provenance',
    reach: '≥ 0.97',
    measured: rate.shown,
    met: rate.ratio >= 0.97
  }
  const used: Row = {
    what: '… CPU time of server and database, µs a run',
    reach: '≤ 1.03×',
    measured: cpu.shown,
    met: cpu.ratio <= 1 / 0.97
  }
  return [recorded, used, ...(await bundles(on))]
}
