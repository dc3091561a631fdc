import type { Client as McpClient } from '@modelcontextprotocol/client'
import t from 'tap'
import type { Era } from './testbed.ts'
import { connect, local, scripted, send, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t)

interface Answered {
  readonly runId: string
  readonly sessionId: string
  readonly status: string
  readonly content: string | null
}

const toolOf = async (mcp: McpClient, agent: { id: string }) => {
  const { tools } = await mcp.listTools()
  const found = tools.find(({ name }) => name.endsWith(agent.id.slice('agent_'.length)))
  if (!found) throw new Error('The agent is no tool')
  return found
}
const answered = ({ structuredContent }: Awaited<ReturnType<McpClient['callTool']>>) =>
  structuredContent as Answered
const textOf = ({ content }: Awaited<ReturnType<McpClient['callTool']>>) =>
  (content as { text: string }[])[0]?.text

for (const era of ['sessions', 'stateless'] satisfies Era[])
  t.test(`agents are tools: ${era}`, async (t) => {
    const mcp = await connect(t, booted, ada, era)
    t.equal(mcp.getServerVersion()?.name, 'agent-platform')
    const agent = await ada.agent({ ...local, name: 'Zoë & Co.' })
    const tool = await toolOf(mcp, agent)
    t.equal(tool.name, `agent_zoe-co_${agent.id.slice(6)}`)
    t.equal(tool.title, 'Zoë & Co.')

    const first = await mcp.callTool({ name: tool.name, arguments: { message: 'Hello' } })
    t.notOk(first.isError)
    t.equal(textOf(first), 'You said: Hello')
    const { runId, sessionId } = answered(first)
    t.match(answered(first), { status: 'completed', content: 'You said: Hello', citations: [] })
    t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { sessionId, agentId: agent.id })

    const second = await mcp.callTool({ name: tool.name, arguments: { message: 'Again', sessionId } })
    t.equal(answered(second).sessionId, sessionId)
    t.not(answered(second).runId, runId)

    const again = await mcp.callTool({ name: tool.name, arguments: { runId } })
    t.same(answered(again), answered(first), 'a result that was lost is fetched')
  })

t.test('a client that asks for progress gets it, the id of the run before anything else', async (t) => {
  const agent = await ada.agent(local)
  for (const era of ['sessions', 'stateless'] satisfies Era[]) {
    const mcp = await connect(t, booted, ada, era)
    const { name } = await toolOf(mcp, agent)
    const told: { progress: number; message?: string | undefined }[] = []
    const result = await mcp.callTool(
      { name, arguments: { message: 'Hello' } },
      { onprogress: (progress) => void told.push(progress) }
    )
    t.equal(told[0]?.message, `${answered(result).runId} began`)
    t.ok(told.some(({ message }) => message === 'Step 1'))
    const places = told.map(({ progress }) => progress)
    t.same(
      places,
      [...new Set(places)].sort((a, b) => a - b),
      'it only grows'
    )
  }
})

t.test('what an agent cannot do is a result that says why', async (t) => {
  const mcp = await connect(t, booted, ada, 'sessions')
  const failing = await toolOf(mcp, await ada.agent(scripted('status=400')))
  const result = await mcp.callTool({ name: failing.name, arguments: { message: 'Hello' } })
  t.match(result, { isError: true, structuredContent: { status: 'failed' } })

  const agent = await ada.agent(local)
  const { name } = await toolOf(mcp, agent)
  const call = (args: Record<string, unknown>) => mcp.callTool({ name, arguments: args })
  for (const [args, why] of [
    [{}, /message or runId is required/],
    [{ message: '' }, /message or runId is required/],
    [{ message: 5 }, /message must be a string/],
    [{ message: 'Hi', mesage: 'Hi' }, /There is no argument mesage/],
    [{ message: 'Hi', runId: 'run_1' }, /cannot be combined/],
    [{ runId: 'run_nope' }, /Run not found/],
    [{ runId: answered(result).runId }, /one of another agent/],
    [{ message: 'Hi', sessionId: 'session_nope' }, /Session not found/],
    [{ message: 'Hi', sessionId: answered(result).sessionId }, /belongs to another agent/]
  ] as const) {
    const refused = await call(args)
    t.ok(refused.isError, JSON.stringify(args))
    t.match(textOf(refused), why)
  }
})

t.test('agents of other owners are no tools', async (t) => {
  const agent = await ada.agent(local)
  const hers = await connect(t, booted, ada, 'stateless')
  const { name } = await toolOf(hers, agent)
  const { runId } = answered(await hers.callTool({ name, arguments: { message: 'Hello' } }))
  for (const era of ['sessions', 'stateless'] satisfies Era[]) {
    const mcp = await connect(t, booted, eve, era)
    await t.rejects(toolOf(mcp, agent), { message: 'The agent is no tool' })
    const error = { type: 'permission_error', status: 403, code: 'not_owner' }
    for (const args of [{ message: 'Hello' }, { runId }])
      t.match(await mcp.callTool({ name, arguments: args }), { isError: true, structuredContent: { error } })
    const unknown = name.replace(/.{8}$/, '00000000')
    t.match(await mcp.callTool({ name: unknown, arguments: { message: 'Hello' } }), {
      isError: true,
      structuredContent: { error: { type: 'not_found' } }
    })
    for (const other of ['agent_', 'agent_x', 'nope', `agent_${'z'.repeat(26)}`, '../../etc'])
      await t.rejects(mcp.callTool({ name: other, arguments: {} }), { code: -32602 }, other)
  }
})

t.test('all of many agents are listed, page by page', async (t) => {
  const bob = booted.as('bob')
  for (let made = 0; made < 105; made++) await bob.agent(local)
  const mcp = await connect(t, booted, bob, 'stateless')
  const first = await mcp.request({ method: 'tools/list', params: {} })
  t.equal(first.tools.length, 100)
  const second = await mcp.request({ method: 'tools/list', params: { cursor: first.nextCursor } })
  t.equal(second.tools.length, 5)
  t.equal(new Set([...first.tools, ...second.tools].map(({ name }) => name)).size, 105)
  await t.rejects(mcp.request({ method: 'tools/list', params: { cursor: 'made-up' } }), { code: -32602 })
})

t.test('the same call with the same Idempotency-Key is the same run, told by its id', async (t) => {
  const agent = await ada.agent(local)
  const params = {
    name: `agent_${agent.id.slice(6)}`,
    arguments: { message: 'Once' },
    _meta: { progressToken: 'p' }
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const runs = new Set<string>()
  for (let times = 0; times < 2; times++) {
    const { text, message } = await send(ada, call, { 'idempotency-key': 'once' })
    const { runId, sessionId } = message.result.structuredContent
    runs.add(runId)
    const first = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? '')
    t.match(first, {
      method: 'notifications/progress',
      params: { progressToken: 'p', _meta: { runId, sessionId } }
    })
  }
  t.equal(runs.size, 1)
  const other = { ...call, params: { ...params, arguments: { message: 'Twice' } } }
  t.match((await send(ada, other, { 'idempotency-key': 'once' })).message.result, {
    isError: true,
    structuredContent: { error: { status: 409, code: 'idempotency_key_reused' } }
  })
})
