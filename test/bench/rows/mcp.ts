import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startEverything } from '../../acting/everything.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS, timed } from '../tools.ts'

const CALL = '/call everything__echo {"message":"hello"}'

async function ofRuns(to: Served, agentId: string, count: number): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const events = await timed(to, agentId, CALL)
    took.push((events.get('toolEnd') as number) - (events.get('toolStart') as number))
  }
  return median(took)
}

async function ofClient(client: Client, count: number): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    const { isError } = await client.callTool({ name: 'echo', arguments: { message: 'hello' } })
    if (isError) throw new Error('A call failed')
    took.push(performance.now() - begun)
  }
  return median(took)
}

/** A tool server's tool in a run, against the same server and the official client alone. */
export const measure: Measure = async (scope, quick) => {
  const url = await startEverything(scope)
  const served = await startPlatform(
    scope,
    {},
    { packs: [...PACKS, 'mcp'], env: { OUTGOING_ALLOW: '127.0.0.0/8' } }
  )
  const api = createApi(served)
  const { id: agentId } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  const { id: serverId } = await api.post('/v1/mcp/servers', { name: 'everything', url })
  await api.post(`/v1/mcp/servers/${serverId}/connect`, {})
  await api.post(`/v1/agents/${agentId}/tools`, { toolId: 'everything__echo' })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  scope.teardown(() => client.close())
  const each = quick ? 50 : 150
  await ofRuns(served, agentId, each)
  await ofClient(client, each)
  const pairs = await inTurns(
    quick ? 3 : ROUNDS,
    () => ofRuns(served, agentId, each),
    () => ofClient(client, each)
  )
  const ours = median(pairs.map(([one]) => one))
  const bare = median(pairs.map(([, one]) => one))
  return [
    {
      what: 'a call of a tool server in a run, against the official client alone',
      reach: '≤ 1.5× + 2 ms',
      measured: `${ours.toFixed(2)} / ${bare.toFixed(2)} ms`,
      met: ours <= 1.5 * bare + 2
    }
  ]
}
