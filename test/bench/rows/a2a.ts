import { randomUUID } from 'node:crypto'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

const SAID = 'Say what there is to say.'

async function asked(to: Served, path: string, bodyOf: () => object, count: number): Promise<number> {
  const headers = { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' }
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    const reply = await fetch(to.url + path, { method: 'POST', headers, body: JSON.stringify(bodyOf()) })
    const text = await reply.text()
    took.push(performance.now() - begun)
    if (reply.status !== 200 || !text.includes('completed'))
      throw new Error(`${path}: ${reply.status} ${text}`)
  }
  return median(took)
}

/** A task of another agent's, against the same run by the platform's own route. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'a2a'] })
  const api = createApi(served)
  const { id: agentId } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  const published = await fetch(`${served.url}/v1/a2a/${agentId}/publication`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
    body: '{}'
  })
  if (!published.ok) throw new Error(`The agent was not published: ${published.status}`)
  const task = (count: number) =>
    asked(
      served,
      `/v1/a2a/${agentId}`,
      () => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: { message: { role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text: SAID }] } }
      }),
      count
    )
  const run = (count: number) =>
    asked(served, '/v1/agents/run', () => ({ agentId, messages: [{ role: 'user', content: SAID }] }), count)
  const each = quick ? 100 : 400
  await task(each)
  await run(each)
  const pairs = await inTurns(
    quick ? 3 : ROUNDS,
    () => task(each),
    () => run(each)
  )
  const ratio = median(pairs.map(([one, other]) => one / other))
  const [ours, bare] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))]
  return [
    {
      what: 'A2A `message/send`, against the same run over `/v1/agents/run`',
      reach: '≤ 1.2×',
      measured: `${ratio.toFixed(2)}× (${ours.toFixed(2)} / ${bare.toFixed(2)} ms)`,
      met: ratio <= 1.2
    }
  ]
}
