import { randomUUID } from 'node:crypto'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

const SAID = 'Say what there is to say.'

/** Milliseconds of one request. */
async function asked(to: Served, path: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' }
  const begun = performance.now()
  const reply = await fetch(to.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.text()
  const took = performance.now() - begun
  if (reply.status !== 200 || !text.includes('completed')) throw new Error(`${path}: ${reply.status} ${text}`)
  return took
}

/** A task of another agent's, against the same run by the platform's own route. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'storage', 'files', 'a2a'] })
  const api = createApi(served)
  const { id: agentId } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  const published = await fetch(`${served.url}/v1/a2a/${agentId}/publication`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
    body: '{}'
  })
  if (!published.ok) throw new Error(`The agent was not published: ${published.status}`)
  const task = () =>
    asked(served, `/v1/a2a/${agentId}`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message: { role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text: SAID }] } }
    })
  const run = () => asked(served, '/v1/agents/run', { agentId, messages: [{ role: 'user', content: SAID }] })
  // By turns, request by request: what else goes on meets both.
  const count = quick ? 300 : 2_000
  await inTurns(count, task, run)
  const pairs = await inTurns(count, task, run)
  const [ours, bare] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))]
  const ratio = ours / bare
  return [
    {
      what: 'A2A `message/send`, against the same run over `/v1/agents/run`',
      reach: '≤ 1.2×',
      measured: `${ratio.toFixed(2)}× (${ours.toFixed(2)} / ${bare.toFixed(2)} ms)`,
      met: ratio <= 1.2
    }
  ]
}
