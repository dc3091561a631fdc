import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { compare, median, ROUNDS, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { agentWith, createApi, PACKS, timed } from '../tools.ts'

const MANY = 100

async function starts(to: Served, agentId: string, count: number): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) took.push((await timed(to, agentId, '/say hello')).get('token') as number)
  return median(took)
}

/** What tools cost that are only offered. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'toolbox'] })
  const api = createApi(served)
  const one = await agentWith(api, 1)
  const many = await agentWith(api, MANY)
  const each = quick ? 50 : 200
  await starts(served, many, each)
  const { ratio, spread, first, second } = await compare(
    quick ? 3 : ROUNDS,
    () => starts(served, many, each),
    () => starts(served, one, each)
  )
  return [
    {
      what: `a run of an agent with ${MANY} tools until its first token, against one tool`,
      reach: '≤ 1.5×',
      measured: `${ratio.toFixed(2)}× (${range(spread)}; ${first.toFixed(2)} / ${second.toFixed(2)} ms)`,
      met: ratio <= 1.5
    }
  ]
}
