import type { Callers, StreamsResult } from '../callers.ts'
import { startCallers } from '../callers.ts'
import { startModel } from '../models.ts'
import type { Measure, Row } from '../row.ts'
import type { Runner } from '../runners.ts'
import { startRuns } from '../runners.ts'

const EVENTS = 10_000
/** Tokens a millisecond apart are events of their own as long as a commit takes less than that: some are not. */
const TOKENS = 13_000
const TIMES = 40

interface Finished {
  readonly run: string
  readonly events: number
}

/** A run that has said so much, and everything of it was followed. */
async function finished(callers: Callers, to: Runner, tokens: number): Promise<Finished> {
  const run = await callers.begin(to, await to.body({ tokens, delay: 1 }))
  await callers.follow(to, { runs: [run], events: 1 })
  const [events = []] = await callers.followed()
  return { run, events: events.length }
}

async function resume(callers: Callers, to: Runner, { run, events }: Finished, missed: number) {
  const path = `/v1/agents/runs/${run}/stream?after=${events - missed - 1}`
  const result = await callers.streams(to, { path, count: TIMES, connections: 1 })
  if (result.events !== TIMES * missed)
    throw new Error(`${result.events / TIMES} of ${missed} events came again`)
  return result
}

const row = (what: string, reach: number, { whole }: StreamsResult): Row => ({
  what,
  reach: `≤ ${reach} ms`,
  measured: `${whole.p50.toFixed(1)} ms`,
  met: whole.p50 <= reach
})

/** What a client that comes back waits for. */
export const measure: Measure = async (scope) => {
  const callers = await startCallers(scope)
  const ours = await startRuns(scope, await startModel(scope))
  let it = await finished(callers, ours, TOKENS)
  if (it.events < EVENTS) it = await finished(callers, ours, Math.ceil((TOKENS * EVENTS * 1.2) / it.events))
  if (it.events < EVENTS) throw new Error(`A run of ${it.events} events`)
  const count = it.events.toLocaleString('en')
  await resume(callers, ours, it, it.events)
  return [
    row(`a finished run of ${count} events again, from 0`, 20, await resume(callers, ours, it, it.events)),
    row('… its last 100', 3, await resume(callers, ours, it, 100))
  ]
}
