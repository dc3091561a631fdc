import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { compare, median, range } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Api } from '../tools.ts'
import { createApi, PACKS, timed } from '../tools.ts'

const MANY = 100

/** An agent that was assigned so many tools, the first of them static. */
async function agentWith(api: Api, count: number): Promise<string> {
  const { id } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  await api.post(`/v1/agents/${id}/tools`, { toolId: 'calculator' })
  for (let n = 1; n < count; n++) {
    const tool = await api.post('/v1/tools', {
      name: `tool_${count}_${n}`,
      description: 'Looks something up',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
      config: { method: 'GET', url: 'https://example.com/', query: { q: '{{query}}' } }
    })
    await api.post(`/v1/agents/${id}/tools`, { toolId: tool.id })
  }
  return id
}

const CALL = '/call calculator {"expression":"1+1"}'

async function calls(to: Served, agentId: string, count: number): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const events = await timed(to, agentId, CALL)
    took.push((events.get('toolEnd') as number) - (events.get('toolStart') as number))
  }
  return median(took)
}

async function starts(to: Served, agentId: string, count: number): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) took.push((await timed(to, agentId, '/say hello')).get('token') as number)
  return median(took)
}

/** What it costs that an agent acts: permission, record and durable events of a call, and tools that are only offered. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'toolbox'] })
  const api = createApi(served)
  const one = await agentWith(api, 1)
  const many = await agentWith(api, MANY)
  const each = quick ? 100 : 300
  await calls(served, one, each)
  await starts(served, many, each)
  const rounds: number[] = []
  for (let round = 0; round < (quick ? 3 : 7); round++) rounds.push(await calls(served, one, each))
  const took = median(rounds)
  const { ratio, spread, first, second } = await compare(
    quick ? 3 : 7,
    () => starts(served, many, each),
    () => starts(served, one, each)
  )
  return [
    {
      what: 'a call of a static tool in a run, from its `toolStart` to its `toolEnd`',
      reach: '≤ 3 ms',
      measured: `${took.toFixed(2)} ms (${range([Math.min(...rounds), Math.max(...rounds)])})`,
      met: took <= 3
    },
    {
      what: `a run of an agent with ${MANY} tools until its first token, against one tool`,
      reach: '≤ 1.5×',
      measured: `${ratio.toFixed(2)}× (${range(spread)}; ${first.toFixed(2)} / ${second.toFixed(2)} ms)`,
      met: ratio <= 1.5
    }
  ] satisfies Row[]
}
