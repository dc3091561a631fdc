import type { Arrival, Callers } from '../callers.ts'
import { monotonic, startCallers } from '../callers.ts'
import type { Model } from '../models.ts'
import { startModel, WORD } from '../models.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { PlatformRunner } from '../runners.ts'
import { startRuns } from '../runners.ts'
import { withScope } from '../scope.ts'

/** Long enough to be in the middle of it when its process goes, and to go on for a while after that. */
const MANNER = { tokens: 150, delay: 10 }
const RUNS = 8
const SEEN = 30

type Way = 'killed' | 'draining'

/** Milliseconds from then to what the new owner says first. Throws unless the run is whole all the same. */
function waited(arrivals: readonly Arrival[], since: number): number {
  const events = arrivals.map(({ event }) => event)
  const gap = events.findIndex(({ seq }, index) => seq !== index)
  if (gap >= 0) throw new Error(`Event ${gap} has the number ${events[gap]?.seq}`)
  const last = events.at(-1)
  if (last?.type !== 'final' || last.content !== WORD.repeat(MANNER.tokens))
    throw new Error(`A run ended with ${JSON.stringify(last)}`)
  const resumed = arrivals.find(({ event: { type, status } }) => type === 'status' && status === 'resumed')
  if (!resumed) throw new Error('A run was not taken over')
  return (resumed.at - since) / 1_000
}

/** Runs of one instance are followed through another one, and the first one goes. */
const takeOver = (callers: Callers, model: Model, survivor: PlatformRunner, way: Way): Promise<number[]> =>
  withScope(async (scope) => {
    const first = await startRuns(scope, model, survivor)
    const body = await survivor.body(MANNER)
    const runs = await Promise.all(Array.from({ length: RUNS }, () => callers.begin(first, body)))
    await callers.follow(survivor, { runs, events: SEEN })
    const since = monotonic()
    await (way === 'killed' ? first.kill() : first.ask('close'))
    return (await callers.followed()).map((arrivals) => waited(arrivals, since))
  })

function row(what: string, reach: number, times: readonly number[]): Row {
  const shown = [median(times), Math.max(...times)].map((ms) => Math.round(ms))
  return {
    what,
    reach: `≤ ${reach.toLocaleString('en')} ms`,
    measured: `${shown[0]} ms (at most ${shown[1]})`,
    met: median(times) <= reach
  }
}

/** How long a run stands still when its process goes. */
export const measure: Measure = async (scope, quick) => {
  const callers = await startCallers(scope)
  const model = await startModel(scope)
  const survivor = await startRuns(scope, model)
  const times: Record<Way, number[]> = { killed: [], draining: [] }
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const way of ['killed', 'draining'] as const)
      times[way].push(...(await takeOver(callers, model, survivor, way)))
  return [
    row('a run is taken over after kill -9: to its next event', 1_000, times.killed),
    row('… from an instance that shuts down', 200, times.draining)
  ]
}
