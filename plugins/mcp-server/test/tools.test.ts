import t from 'tap'
import type { Call, StaticTool } from '../../tools/contract.ts'
import type { Era } from './testbed.ts'
import { connect, send, stage } from './testbed.ts'

const parameters = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false }
const prop = (call: StaticTool['call'], fields: Partial<StaticTool> = {}): StaticTool => ({
  description: 'A prop',
  parameters,
  idempotent: true,
  call,
  ...fields
})
const calls: Call[] = []
let begun = Promise.withResolvers<Call>()
const tools = {
  echo: prop(async (call) => {
    calls.push(call)
    return { output: call.args.text ?? 'nothing' }
  }),
  whole: prop(async () => ({ output: { a: [1, 2] } }), { idempotent: false }),
  loose: prop(async ({ args }) => ({ output: args }), { parameters: {} }),
  wrong: prop(async () => ({ output: 'It went wrong', isError: true })),
  broken: prop(async () => {
    throw new Error('secret detail')
  }),
  steady: prop(async ({ progress }) => {
    for (const part of ['one', 'two', 'three']) progress(part)
    return { output: 'done' }
  }),
  endless: prop(async (call) => {
    begun.resolve(call)
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
    return { output: 'given up' }
  })
}
const { booted, ada, eve } = await stage(t, { tools })
const agent = await ada.agent()
const assign = async (toolId: string, policy = 'allow', enabled = true) => {
  const reply = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId, policy, enabled })
  if (reply.status !== 201) throw new Error(`Not assigned: ${reply.text}`)
  return reply.body.data as { id: string }
}
for (const name of Object.keys(tools)) if (name !== 'loose') await assign(name)
const loose = await assign('loose')
const query = `?agentId=${agent.id}`
const textOf = ({ content }: { content?: unknown }) => (content as { text: string }[])[0]?.text

for (const era of ['sessions', 'stateless'] satisfies Era[])
  t.test(`an agent's tools are served: ${era}`, async (t) => {
    const mcp = await connect(t, booted, ada, era, query)
    const served = (await mcp.listTools()).tools
    t.match(
      served.find(({ name }) => name === 'echo'),
      { description: 'A prop', inputSchema: parameters, annotations: { idempotentHint: true } }
    )
    t.match(served.find(({ name }) => name === 'loose')?.inputSchema, { type: 'object' })
    t.ok(
      served.some(({ name }) => name.endsWith(agent.id.slice(6))),
      'and the agents besides'
    )

    const said = await mcp.callTool({ name: 'echo', arguments: { text: 'Hello' } })
    t.same({ text: textOf(said), isError: said.isError }, { text: 'Hello', isError: undefined })
    t.match(calls.at(-1), { agentId: agent.id, by: { id: ada.id }, depth: 0 })
    t.equal(textOf(await mcp.callTool({ name: 'echo' })), 'nothing')

    const { structuredContent, content } = await mcp.callTool({ name: 'whole', arguments: {} })
    t.same(structuredContent, { a: [1, 2] })
    t.same(content, [{ type: 'text', text: '{"a":[1,2]}' }])

    const told: string[] = []
    const progress = { onprogress: ({ message }: { message?: string }) => void told.push(message ?? '') }
    t.equal(textOf(await mcp.callTool({ name: 'steady' }, progress)), 'done')
    t.same(told, ['one', 'two', 'three'])

    for (const [name, args, why] of [
      ['wrong', {}, /It went wrong/],
      ['broken', {}, /broken failed/],
      ['echo', { text: 5 }, /text/],
      ['echo', { nope: 1 }, /nope/]
    ] as const) {
      const result = await mcp.callTool({ name, arguments: args })
      t.ok(result.isError, name)
      t.match(textOf(result), why)
      t.notMatch(JSON.stringify(result), /secret detail/)
    }
  })

t.test('a tool that is asked for, denied or not assigned is not called', async (t) => {
  const mcp = await connect(t, booted, ada, 'sessions', query)
  const change = (fields: object) => ada.patch(`/v1/agents/tools/${loose.id}`, fields)
  const refusal = async () => {
    const { isError, structuredContent } = await mcp.callTool({ name: 'loose' })
    return isError && (structuredContent as { error: object }).error
  }
  t.match(await change({ policy: 'ask' }), { status: 200 })
  t.match(await refusal(), { type: 'permission_error', status: 403, code: 'approval_required' })
  const listed = (await mcp.listTools()).tools.find(({ name }) => name === 'loose')
  t.match(listed?.description, /has to be approved/i)
  await change({ policy: 'deny' })
  t.match(await refusal(), { type: 'permission_error', status: 403, code: 'tool_denied' })
  await change({ policy: 'allow', enabled: false })
  for (const name of ['loose', 'nope', 'http_fetch'])
    await t.rejects(mcp.callTool({ name }), { code: -32602 }, name)
  const { tools: left } = await mcp.listTools()
  t.notOk(left.some(({ name }) => name === 'loose'))
  await change({ enabled: true })
  t.notOk((await mcp.callTool({ name: 'loose' })).isError, 'at once')
})

t.test('an agent of another owner lends no tools', async (t) => {
  await t.rejects(connect(t, booted, eve, 'sessions', query), { message: /not_owner/ })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } }
  t.match(await send(eve, call, {}, { query }), { status: 403 })
  const hers = await connect(t, booted, eve, 'stateless')
  await t.rejects(hers.callTool({ name: 'echo' }), { code: -32602 }, 'nor without its name')
})

t.test('a client that leaves, or cancels, ends the call', async (t) => {
  for (const era of ['sessions', 'stateless'] satisfies Era[])
    for (const how of ['leave', 'cancel']) {
      const mcp = await connect(t, booted, ada, era, query)
      begun = Promise.withResolvers()
      const cancel = new AbortController()
      const result = mcp.callTool({ name: 'endless' }, { signal: cancel.signal })
      result.catch(() => undefined)
      const { signal } = await begun.promise
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
      if (how === 'leave') await mcp.close()
      else cancel.abort()
      await aborted
      t.ok(signal.aborted, `${era}, ${how}`)
      await t.rejects(result)
    }
})
