import { once } from 'node:events'
import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { createDelegate } from '../tools/delegate.ts'
import { calling, crew, local, scripted } from './testbed.ts'

const held: (() => void)[] = []
const { booted, server, deps, ada, eve } = await crew(t, {
  env: { DELEGATE_DEPTH: '2' },
  // What `hold` is asked is answered when the test lets go.
  async respond({ body }) {
    if (!body.model.includes('hold')) return undefined
    await new Promise<void>((resolve) => held.push(resolve))
    return { text: 'At last' }
  }
})

const assigned = async (client: Client, fields: object = {}) => {
  const agent = await client.agent(fields)
  const { status } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId: 'delegate' })
  if (status !== 201) throw new Error(`Not assigned: ${status}`)
  return agent
}
const pin = (client: Client, agent: { id: string }, peer: { id: string }, note: string | null = null) =>
  client.post(`/v1/agents/${agent.id}/preferred-connections`, { peerAgentId: peer.id, description: note })
const delegate = async (client: Client, agent: { id: string }, args: object) =>
  (await client.post('/v1/agents/tools', { agentId: agent.id, toolName: 'delegate', args })).body.data
const run = async (client: Client, agent: { id: string }, content: string) =>
  (await client.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }] })).body
    .data
const read = async (client: Client, runId: string) => (await client.get(`/v1/agents/runs/${runId}`)).body.data
const called = (name: string, args: object) => `/call ${name} ${JSON.stringify(args)}`

t.test('a peer does the task, in a conversation of its own', async (t) => {
  const agent = await assigned(ada, local)
  const bob = await ada.agent({ ...local, name: 'Bob' })
  await pin(ada, agent, bob, 'Knows everything')
  for (const named of ['Bob', ' bob ', bob.id]) {
    const { output, isError } = await delegate(ada, agent, { agent: named, task: 'Say hello' })
    t.notOk(isError)
    t.match(output, { agentId: bob.id, name: 'Bob', answer: 'You said: Say hello' })
    t.match(await read(ada, output.runId), {
      agentId: bob.id,
      sessionId: output.sessionId,
      status: 'completed'
    })
  }
  const { content } = await run(ada, agent, called('delegate', { agent: 'Bob', task: 'Say hi' }))
  t.match(content, /You said: Say hi/)
})

t.test('who is not told, or not there, is listed', async (t) => {
  const agent = await assigned(ada, local)
  t.match(await delegate(ada, agent, { task: 'x' }), { isError: true, output: /no preferred peers/ })
  const [first, second] = [await ada.agent({ name: 'Twin' }), await ada.agent({ name: 'Twin' })]
  await pin(ada, agent, first, 'The elder')
  await pin(ada, agent, second)
  const stranger = await ada.agent({ name: 'Stranger' })
  for (const wanted of [undefined, 'Twin', 'Nobody', stranger.id]) {
    const { output, isError } = await delegate(ada, agent, { agent: wanted, task: 'x' })
    t.ok(isError)
    t.match(
      output,
      new RegExp(`- Twin \\(${first.id}\\): The elder\n- Twin \\(${second.id}\\)$`),
      wanted ?? 'nobody'
    )
  }
})

t.test('a peer needs the right of the caller that runs the agent', async (t) => {
  const agent = await assigned(ada, local)
  const bob = await ada.agent({ ...local, name: 'Bob' })
  await pin(ada, agent, bob)
  const reply = await eve.post('/v1/agents/tools', {
    agentId: agent.id,
    toolName: 'delegate',
    args: { task: 'x' }
  })
  t.equal(reply.status, 403)
  const narrow = booted.as('ada', { scopes: ['agents:write'] })
  t.match(await delegate(narrow, agent, { agent: 'Bob', task: 'x' }), { isError: true, output: /agents:run/ })
  await ada.delete(`/v1/agents/${bob.id}`)
  t.match(await delegate(ada, agent, { agent: 'Bob', task: 'x' }), {
    isError: true,
    output: /no preferred peers/
  })
})

t.test('what was handed on is handed on only so often', async (t) => {
  const agent = await assigned(ada, { ...local, name: 'Ping' })
  const other = await assigned(ada, { ...local, name: 'Pong' })
  await pin(ada, agent, other)
  await pin(ada, other, agent)
  const innermost = called('delegate', { agent: 'Pong', task: 'too deep' })
  const inner = called('delegate', { agent: 'Ping', task: innermost })
  const { content } = await run(ada, agent, called('delegate', { agent: 'Pong', task: inner }))
  t.match(content, /can be handed on 2 times/)
  t.notMatch(content, /You said: too deep/)
})

t.test('a peer that fails, or needs a person, is an error', async (t) => {
  const agent = await assigned(ada, local)
  await pin(ada, agent, await ada.agent({ ...scripted('status=400'), name: 'Failing' }))
  t.match(await delegate(ada, agent, { agent: 'Failing', task: 'x' }), {
    isError: true,
    output: /^Failing failed: /
  })
  const asking = await ada.agent({ ...local, name: 'Asking' })
  await ada.post(`/v1/agents/${asking.id}/tools`, { toolId: 'calculator', policy: 'ask' })
  await pin(ada, agent, asking)
  const task = called('calculator', { expression: '1 + 1' })
  const { output, isError } = await delegate(ada, agent, { agent: 'Asking', task })
  t.ok(isError)
  t.match(output, /Asking waits for an approval or an answer for calculator/)
  const { body } = await ada.get(`/v1/sessions/agent/${asking.id}`)
  const { messages } = (await ada.get(`/v1/sessions/${body.data[0].id}/full`)).body.data
  t.match(await read(ada, messages[0].runId), { status: 'cancelled' })
})

t.test('cancelling a run cancels what it waits for', async (t) => {
  const agent = await assigned(ada, local)
  const slow = await ada.agent({ ...scripted('hold=1'), name: 'Slow' })
  await pin(ada, agent, slow)
  const asked = once(server.events, 'request')
  const running = ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [{ role: 'user', content: called('delegate', { agent: 'Slow', task: 'Wait' }) }]
  })
  await asked
  const inner = await runOf(ada, slow)
  const outer = await runOf(ada, agent)
  t.match(await ada.post(`/v1/agents/runs/${outer}/cancel`), { status: 200 })
  t.equal((await running).status, 409)
  await ada.post(`/v1/agents/runs/${inner}/stream`)
  t.match(await read(ada, inner), { status: 'cancelled' })
  held.splice(0)
})

t.test('a call that goes on elsewhere finds the same run', async (t) => {
  const agent = await assigned(ada, local)
  const slow = await ada.agent({ ...scripted('hold=2'), name: 'Slow' })
  await pin(ada, agent, slow)
  const call = calling(createDelegate(deps))
  const by = {
    id: ada.id,
    type: 'user',
    project: 'default',
    owner: ada.id,
    scopes: new Set(['agents:run']),
    narrowed: false,
    credential: ''
  } as const
  const leave = new AbortController()
  const given = { id: 'call_handed_over', by, agentId: agent.id }
  const args = { agent: 'Slow', task: 'Wait' }
  const asked = once(server.events, 'request')
  const first = call(args, { ...given, signal: leave.signal })
  await asked
  leave.abort(Object.assign(new Error('elsewhere'), { code: 'handed_over' }))
  await t.rejects(first, { code: 'handed_over' })
  const second = call(args, given)
  for (const go of held.splice(0)) go()
  t.match((await second).output, { answer: 'At last' })
  t.equal((await ada.get(`/v1/sessions/agent/${slow.id}`)).body.data.length, 1)
})

/** The one run of the agent's newest session. */
async function runOf(client: Client, agent: { id: string }): Promise<string> {
  const { body } = await client.get(`/v1/sessions/agent/${agent.id}`)
  const { messages } = (await client.get(`/v1/sessions/${body.data[0].id}/full`)).body.data
  return messages[0].runId
}
