import type { Cost } from '../cost.ts'
import { costOf } from '../cost.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { median, ROUNDS, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { agentWith, createApi, PACKS, timed } from '../tools.ts'

const CALL = '/call calculator {"expression":"1+1"}'
const REACH = 2.5

async function calls(to: Served, agentId: string, count: number): Promise<Cost & { readonly took: number }> {
  const took: number[] = []
  const cost = await costOf(to, async () => {
    for (let n = 0; n < count; n++) {
      const events = await timed(to, agentId, CALL)
      took.push((events.get('toolEnd') as number) - (events.get('toolStart') as number))
    }
    return count
  })
  return { ...cost, took: median(took) }
}

/** What it costs that an agent acts: permission, record and durable events of a call. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'toolbox'] })
  const agentId = await agentWith(createApi(served), 1)
  const each = quick ? 100 : 300
  await calls(served, agentId, each)
  const rounds = []
  for (let round = 0; round < (quick ? 3 : ROUNDS); round++) rounds.push(await calls(served, agentId, each))
  const took = rounds.map((round) => round.took)
  const server = Math.round(median(rounds.map((round) => round.server)))
  return [
    {
      what: 'a call of a static tool in a run, from its `toolStart` to its `toolEnd`',
      reach: `≤ ${REACH} ms`,
      measured: `${median(took).toFixed(2)} ms (${range([Math.min(...took), Math.max(...took)])}; CPU of such a run ${server} µs)`,
      met: median(took) <= REACH
    }
  ]
}
