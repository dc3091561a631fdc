// budget: 5 s, because a platform is its own tool server, and some runs go on in each other
import t from 'tap'
import type { StaticTool } from '../../tools/contract.ts'
import { connect, local, scripted, send, stage } from './testbed.ts'

const MOST = 4
const probed: unknown[] = []
const probe: StaticTool = {
  description: 'Looks who calls',
  parameters: { type: 'object' },
  idempotent: true,
  async call({ run, depth }) {
    probed.push({ ...run, depth })
    return { output: 'Seen' }
  }
}
/** As a service outside that calls the platform again when it is called, and says nothing of what that is a part of. */
const outside: StaticTool = {
  description: 'Calls itself',
  parameters: { type: 'object' },
  idempotent: false,
  async call({ agentId }) {
    const { message } = await callOutside(agentId)
    const { content, structuredContent } = message.result
    return { output: structuredContent?.error?.code ?? `Called, ${content[0].text}` }
  }
}
const MOST_CALLS = 8
const { booted, ada, eve } = await stage(t, {
  packs: ['mcp'],
  tools: { probe, outside },
  env: {
    OUTGOING_ALLOW: '127.0.0.0/8',
    RUN_MAX_DESCENDANTS: String(MOST),
    RUN_MAX_QUEUED: '0',
    MCP_SERVER_CALLS_PER_OWNER: String(MOST_CALLS)
  },
  // The agent that is asked asks on, where it has a tool for that.
  respond({ body }) {
    const [tool] = (body.tools ?? []) as { function: { name: string } }[]
    const args = JSON.stringify({ message: 'Go on' })
    return { text: 'Done', tools: tool ? [{ name: tool.function.name, args }] : [] }
  }
})
const { knex } = booted.platform
const callOutside = (agentId: string) => {
  const params = { name: 'outside', arguments: {} }
  return send(
    ada,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {},
    { query: `?agentId=${agentId}` }
  )
}

t.test(
  'agents that call each other by the platform as a tool server are counted as descendants',
  async (t) => {
    const agent = await ada.agent(scripted())
    const key = { name: 'own', value: await ada.key(), allowedHosts: [new URL(booted.url).host] }
    const { id: keyId } = (await ada.post('/v1/tool-keys', key)).body.data
    const server = { name: 'own', url: `${booted.url}/v1/mcp`, auth: { type: 'key', keyId } }
    const path = `/v1/mcp/servers/${(await ada.post('/v1/mcp/servers', server)).body.data.id}`
    t.match(await ada.post(`${path}/connect`), { body: { data: { status: 'connected' } } })
    const tools: { id: string; originalName: string }[] = (await ada.get(`${path}/tools`)).body.data
    const tool = tools.find(({ originalName }) => originalName.startsWith('agent_'))
    await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: tool?.id })
    const { body } = await ada.post('/v1/agents/run', {
      agentId: agent.id,
      messages: [{ role: 'user', content: 'Hello' }]
    })
    t.match(body.data, { status: 'completed', content: 'Done' })
    const runs = await knex('runs.run').where({ agentId: agent.id }).orderBy('id').select('id', 'request')
    t.same(
      runs.map(({ request }) => [request.depth ?? 0, request.root ?? null]),
      [[0, null], ...Array.from({ length: MOST }, (_, n) => [n + 1, body.data.id])]
    )
    const outputs = (await knex('runs.call').pluck('output')).map((output) => JSON.stringify(output))
    t.ok(outputs.some((text) => text.includes(`the limit of ${MOST} (RUN_MAX_DESCENDANTS)`)))

    await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'probe' })
    const mcp = await connect(t, booted, ada, 'stateless', `?agentId=${agent.id}`)
    const _meta = { 'agent-platform/runId': body.data.id }
    await mcp.callTool({ name: 'probe', arguments: {}, _meta })
    t.match(probed.at(-1), { id: body.data.id, depth: 0 }, 'so are runs that tools of an agent begin')
    const last = runs.at(-1)?.id
    await mcp.callTool({ name: 'probe', arguments: {}, _meta: { 'agent-platform/runId': last } })
    t.match(probed.at(-1), { id: last, depth: MOST }, 'and what a tool begins lies as deep')
  }
)

t.test("a run that is not the caller's is none", async (t) => {
  const agent = await ada.agent(local)
  const mine = await eve.agent(local)
  const { body } = await eve.post('/v1/agents/run', {
    agentId: mine.id,
    messages: [{ role: 'user', content: 'Hello' }]
  })
  const mcp = await connect(t, booted, ada, 'stateless')
  const { tools } = await mcp.listTools()
  const name = tools.find((tool) => tool.name.endsWith(agent.id.slice('agent_'.length)))?.name ?? ''
  for (const runId of [body.data.id, 'run_unknown', 7]) {
    const result = await mcp.callTool({
      name,
      arguments: { message: 'Hello' },
      _meta: { 'agent-platform/runId': runId }
    })
    t.notOk(result.isError)
  }
  t.match(await knex('runs.run').where({ id: body.data.id }).first(), { descendants: 0 })
  const made = await knex('runs.run').where({ agentId: agent.id }).select('request')
  t.equal(made.length, 3)
  for (const { request } of made) t.notOk(request.root)
})

t.test('a chain that no client tells of ends by what is under way', async (t) => {
  const agent = await ada.agent(local)
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'outside' })
  const { message } = await callOutside(agent.id)
  const [{ text }] = message.result.content
  t.equal(text, `${'Called, '.repeat(MOST_CALLS - 1)}too_many_calls`)
  t.equal((await callOutside(agent.id)).message.result.content[0].text, text, 'and leaves nothing behind')
})
