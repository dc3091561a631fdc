import type { Callers, StreamsResult } from '../callers.ts'
import { startCallers } from '../callers.ts'
import { startModel } from '../models.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Runner } from '../runners.ts'
import { startRuns } from '../runners.ts'

const EVENTS = 10_000
/** Tokens a millisecond apart are events of their own as long as a commit takes less than that: some are not. */
const TOKENS = 13_000
const TIMES = 10

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

function row(what: string, reach: number, rounds: readonly StreamsResult[]): Row {
  const took = median(rounds.map(({ whole }) => whole.p50))
  return { what, reach: `≤ ${reach} ms`, measured: `${took.toFixed(1)} ms`, met: took <= reach }
}

/** What a client that comes back waits for. */
export const measure: Measure = async (scope) => {
  const callers = await startCallers(scope)
  const ours = await startRuns(scope, await startModel(scope))
  let it = await finished(callers, ours, TOKENS)
  if (it.events < EVENTS) it = await finished(callers, ours, Math.ceil((TOKENS * EVENTS * 1.2) / it.events))
  if (it.events < EVENTS) throw new Error(`A run of ${it.events} events`)
  const count = it.events.toLocaleString('en')
  await resume(callers, ours, it, it.events)
  const pairs = await inTurns(
    ROUNDS,
    () => resume(callers, ours, it, it.events),
    () => resume(callers, ours, it, 100)
  )
  return [
    row(
      `a finished run of ${count} events again, from 0`,
      20,
      pairs.map(([whole]) => whole)
    ),
    row(
      '… its last 100',
      3,
      pairs.map(([, last]) => last)
    )
  ]
}
