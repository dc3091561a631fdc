import { randomUUID } from 'node:crypto'
import t from 'tap'
import { json, service } from '../../../test/loopback.ts'
import { until } from '../../../test/packs/stage.ts'
import { remoteAgent } from './remote-testbed.ts'
import { local, stage } from './testbed.ts'

/** An authorization server, whose latest token alone is taken. */
let current = ''
const provider = await service(t, (reply, { path }) => {
  if (path !== '/token') return void json(reply, 404, {})
  current = `at-${randomUUID()}`
  json(reply, 200, {
    access_token: current,
    refresh_token: `rt-${randomUUID()}`,
    token_type: 'bearer',
    expires_in: 3_600
  })
})
const guarded = await remoteAgent(t, { admit: ({ authorization }) => authorization === `Bearer ${current}` })
const entry = {
  key: 'bureau',
  name: 'Bureau',
  clientId: 'platform',
  clientSecret: 'a secret',
  authorizationUrl: `${provider.url}/authorize`,
  tokenUrl: `${provider.url}/token`,
  hosts: [guarded.host],
  scopes: [{ name: 'ask', description: 'Ask it', isDefault: true }]
}
const { booted, ada, eve } = await stage(t, {
  packs: ['toolbox', 'connections'],
  env: { OUTGOING_ALLOW: '127.0.0.1', OAUTH_PROVIDERS: JSON.stringify([entry]) }
})

async function register(cardUrl: string, name: string, client = ada) {
  const { status, text, body } = await client.post('/v1/a2a/remotes', { cardUrl, name })
  if (status !== 201) throw new Error(text)
  return body.data as { id: string; toolId: string; toolName: string }
}
const give = (agentId: string, toolId: string, policy = 'allow') =>
  ada.post(`/v1/agents/${agentId}/tools`, { toolId, policy })
const use = async (agentId: string, toolName: string, args: object) =>
  (await ada.post('/v1/agents/tools', { agentId, toolName, args })).body.data

t.test('an agent elsewhere is a preferred peer', async (t) => {
  const elsewhere = await remoteAgent(t)
  const { id, toolId } = await register(elsewhere.cardUrl, 'Met Office')
  const agent = await ada.agent(local)
  await give(agent.id, 'delegate')
  const path = `/v1/agents/${agent.id}/preferred-connections`
  const pin = (peerAgentId: string, description?: string) => ada.post(path, { peerAgentId, description })

  const theirs = await register(elsewhere.cardUrl, 'Hers', eve)
  t.match(await pin(theirs.id), {
    status: 403,
    body: { error: { param: '/peerAgentId', code: 'not_owner' } }
  })
  t.match(await pin('remote_none'), { status: 404, body: { error: { param: '/peerAgentId' } } })
  t.match(await pin(id, 'Knows the weather'), { status: 201, body: { data: { peerAgentId: id } } })
  t.match(await pin(id), { status: 409, body: { error: { code: 'already_pinned' } } })
  const bob = await ada.agent({ ...local, name: 'Bob' })
  await pin(bob.id)

  const delegate = (args: object) => use(agent.id, 'delegate', args)
  t.match(await delegate({ task: 'x' }), {
    isError: true,
    output: new RegExp(`- Met Office \\(${id}\\): Knows the weather\n- Bob \\(${bob.id}\\)$`)
  })
  t.match(await delegate({ agent: 'Met Office', task: 'Rain?' }), {
    isError: true,
    output: /was not given it as a tool/
  })
  t.same(elsewhere.messages, [])
  await give(agent.id, toolId)
  for (const named of ['met office', id])
    t.match(await delegate({ agent: named, task: 'Rain?' }), {
      isError: false,
      output: { state: 'completed', text: 'Heard: Rain?' }
    })
  t.match(await delegate({ agent: 'Bob', task: 'Hi' }), { output: { answer: 'You said: Hi' } })
  t.match((await delegate({ agent: id, task: 'fail' })).output, { state: 'failed' })
  const calls = (await ada.get(`/v1/tools/calls?toolId=${toolId}&limit=2`)).body
  t.equal(calls.data.length, 2, 'each is a call of its tool')
  t.equal((await ada.get(`/v1/tools/calls?toolId=${toolId}&cursor=${calls.nextCursor}`)).status, 200)

  const content = `/call delegate ${JSON.stringify({ agent: 'Met Office', task: 'forever' })}`
  const running = ada.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }] })
  await until(
    async () => elsewhere.messages.at(-1),
    (said) => said === 'forever'
  )
  const [{ id: runId }] = await booted.platform.knex('runs.run').where({ agentId: agent.id })
  const { promise: isKnown, resolve } = Promise.withResolvers<void>()
  elsewhere.onCancel(resolve)
  t.equal((await ada.post(`/v1/agents/runs/${runId}/cancel`)).status, 200)
  await running
  await isKnown
  t.equal(elsewhere.cancelled.length, 1, 'what is given up here is given up there')

  t.equal((await ada.delete(`/v1/a2a/remotes/${id}`)).status, 200)
  t.match((await ada.get(path)).body.data, [{ peerAgentId: bob.id }], 'one that is gone is nobody’s peer')
  t.match(await delegate({ agent: id, task: 'x' }), { isError: true, output: /No one agent is meant/ })
})

t.test('what has to be approved is not had by way of delegation', async (t) => {
  const elsewhere = await remoteAgent(t)
  const { id, toolId } = await register(elsewhere.cardUrl, 'Careful')
  const agent = await ada.agent(local)
  await give(agent.id, 'delegate')
  await give(agent.id, toolId, 'ask')
  await ada.post(`/v1/agents/${agent.id}/preferred-connections`, { peerAgentId: id })
  t.match(await use(agent.id, 'delegate', { agent: id, task: 'x' }), {
    isError: true,
    output: /A person has to approve/
  })
  t.same(elsewhere.messages, [])
})

t.test('a connection stands for its key', async (t) => {
  const { toolId, toolName } = await register(guarded.cardUrl, 'Guarded')
  const { connectionId, authorizationUrl } = (await ada.post('/v1/oauth/connect', { providerKey: 'bureau' }))
    .body.data
  const state = new URL(authorizationUrl).searchParams.get('state') ?? ''
  await booted.anyone.get(`/v1/oauth/callback/bureau?${new URLSearchParams({ state, code: 'yes' })}`)
  const map = (scopes: string[], tool = toolId) =>
    ada.post('/v1/tool-keys/map', { connectionId, toolId: tool, scopes })
  const elsewhere = await register((await remoteAgent(t)).cardUrl, 'Elsewhere')
  t.match(await map([], elsewhere.toolId), { status: 403, body: { error: { code: 'host_not_allowed' } } })
  t.match(await map(['everything']), { status: 403, body: { error: { code: 'scope_missing' } } })
  t.equal((await map(['ask'])).status, 201)
  const agent = await ada.agent(local)
  await give(agent.id, toolId)
  const ask = (message: string) => use(agent.id, toolName, { message })
  t.match((await ask('Rain?')).output, { text: 'Heard: Rain?' })

  const asked = guarded.headers.length
  current = 'ended at the provider'
  t.match((await ask('Snow?')).output, { text: 'Heard: Snow?' }, 'it is renewed where the agent refuses it')
  t.equal(guarded.headers.length, asked + 2, 'once refused, once taken')
  t.match(guarded.headers.at(-1), { authorization: `Bearer ${current}` })
  t.same(guarded.messages, ['Rain?', 'Snow?'], 'and it is told once')

  await ada.delete(`/v1/oauth/connections/${connectionId}?force=true`)
  t.match(await ada.post('/v1/agents/tools', { agentId: agent.id, toolName, args: { message: 'x' } }), {
    status: 409
  })
  t.equal(guarded.headers.length, asked + 2, 'taken back is taken back')
})

t.test('an agent that speaks 0.3', async (t) => {
  const elsewhere = await remoteAgent(t, { version: '0.3' })
  const { body } = await ada.post('/v1/a2a/remotes', { cardUrl: elsewhere.cardUrl, name: 'Old' })
  t.match(body.data, { protocolVersion: '0.3', toolName: 'ask_old' })
  const agent = await ada.agent(local)
  await give(agent.id, body.data.toolId)
  const ask = (args: object) => use(agent.id, 'ask_old', args)
  t.match((await ask({ message: 'Rain?', data: { city: 'Ulm' } })).output, {
    state: 'completed',
    text: 'Heard: Rain?',
    data: [{ ok: true }]
  })
  const asking = await ask({ message: 'ask' })
  t.match(asking.output, { state: 'input-required', text: 'Which city?', taskId: String })
  t.match((await ask({ message: 'Ulm', ...pick(asking.output) })).output, { text: 'Heard: Ulm' })
  t.match(await ask({ message: 'fail' }), { isError: true, output: { state: 'failed', text: 'It rained' } })
})

const pick = ({ taskId, contextId }: { taskId: string; contextId: string }) => ({ taskId, contextId })
