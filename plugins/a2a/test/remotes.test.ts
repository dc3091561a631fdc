import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { connect } from '../../../test/frames.ts'
import { until } from '../../../test/packs/stage.ts'
import { liar, remoteAgent } from './remote-testbed.ts'
import { local, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t, {
  packs: ['storage', 'files'],
  env: { OUTGOING_ALLOW: '127.0.0.1' }
})

const register = (client: Client, cardUrl: string, fields: object = {}) =>
  client.post('/v1/a2a/remotes', { cardUrl, ...fields })

async function worker(toolId: string) {
  const agent = await ada.agent(local)
  const { status } = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId, policy: 'allow' })
  t.equal(status, 201)
  return agent
}
const run = async (agent: { id: string }, content: string) =>
  (await ada.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }] })).body.data

t.test('an agent elsewhere becomes a tool, which streams and says what came of it', async (t) => {
  const elsewhere = await remoteAgent(t, { signed: true })
  const { status, body } = await register(ada, elsewhere.cardUrl)
  t.equal(status, 201)
  t.match(body.data, {
    name: 'Weather Bureau',
    protocolVersion: '1.0',
    streaming: true,
    signature: 'verified',
    toolName: 'ask_weather_bureau',
    skills: [{ id: 'forecast' }]
  })
  t.match((await ada.get(`/v1/tools/${body.data.toolId}`)).body.data, {
    kind: 'a2a',
    name: 'ask_weather_bureau',
    description: /Says what comes/
  })
  const agent = await worker(body.data.toolId)
  const made = await run(agent, '/call ask_weather_bureau {"message": "Rain?"}')
  t.match(made.content, /Heard: Rain\?/)
  t.match(made.content, /"ok":\s*true/)
  const { text } = await ada.get(`/v1/agents/runs/${made.id}/stream`)
  t.match(text, /"type":"toolProgress".*On it/, 'what it says on the way is progress')
  t.match(
    (await run(agent, '/call ask_weather_bureau {"message": "ask"}')).content,
    /input-required.*Which city\?/s
  )
  t.match((await run(agent, '/call ask_weather_bureau {"message": "fail"}')).content, /It rained/)
  await run(agent, '/call ask_weather_bureau {"message": "files"}')
  const kept = await booted.platform.knex('files.file').where({ owner: 'ada', name: 'a.txt' })
  t.equal(kept.length, 50, 'of many files some are kept')
  t.same(elsewhere.messages, ['Rain?', 'ask', 'fail', 'files'])
})

t.test('a call that is given up cancels the task elsewhere', async (t) => {
  const elsewhere = await remoteAgent(t)
  const { data } = (await register(ada, elsewhere.cardUrl)).body
  t.equal(data.signature, 'none')
  const agent = await worker(data.toolId)
  const running = run(agent, `/call ${data.toolName} {"message": "forever"}`)
  await until(
    async () => elsewhere.messages.length,
    (length) => length === 1
  )
  const [{ id }] = await booted.platform.knex('runs.run').where({ agentId: agent.id })
  const authorization = `Bearer ${await ada.key()}`
  const stream = await connect(`${booted.url}/v1/agents/runs/${id}/stream`, { headers: { authorization } })
  let frame: string | undefined = ''
  while (frame !== undefined && !frame.includes('On it')) frame = await stream.frame()
  stream.close()
  t.equal((await ada.post(`/v1/agents/runs/${id}/cancel`)).status, 200)
  await running
  const cancelled = await until(
    async () => elsewhere.cancelled,
    ({ length }) => length === 1
  )
  t.equal(cancelled.length, 1)
})

t.test('its credentials are tool keys, shown to the hosts that they name', async (t) => {
  const elsewhere = await remoteAgent(t)
  const { data } = (await register(ada, elsewhere.cardUrl, { name: 'Keyed' })).body
  t.equal(data.toolName, 'ask_keyed')
  const key = async (allowedHosts: string[]) =>
    (
      await ada.post('/v1/tool-keys', {
        name: `k-${allowedHosts[0]}`,
        value: 'hush-1234567890',
        allowedHosts
      })
    ).body.data
  const map = (keyId: string) =>
    ada.post('/v1/tool-keys/map', { keyId, toolId: data.toolId, in: 'header', name: 'authorization' })
  const agent = await worker(data.toolId)
  const elsewhereAlone = { status: 403, body: { error: { code: 'host_not_allowed' } } }
  for (const host of ['127.0.0.1', '127.0.0.1:1', 'agents.example'])
    t.match(
      await map((await key([host])).id),
      elsewhereAlone,
      `a key of ${host} is for another port, or host`
    )
  const good = await key([elsewhere.host])
  t.equal((await map(good.id)).status, 201)
  t.match((await run(agent, '/call ask_keyed {"message": "Hi"}')).content, /Heard: Hi/)
  t.match(elsewhere.headers[0], { authorization: 'Bearer hush-1234567890' })
})

t.test('remote agents are a resource of their owner’s', async (t) => {
  const elsewhere = await remoteAgent(t)
  const { data } = (await register(ada, elsewhere.cardUrl)).body
  const path = `/v1/a2a/remotes/${data.id}`
  t.match((await ada.get(path)).body.data, { id: data.id, owner: 'ada' })
  for (const reply of [
    await eve.get(path),
    await eve.put(path, { name: 'Mine' }),
    await eve.delete(path),
    await eve.post(`${path}/refresh`)
  ])
    t.match(reply, { status: 403, body: { error: { code: 'not_owner' } } })
  t.match(await ada.get('/v1/a2a/remotes/remote_nope'), { status: 404 })
  t.match(await booted.anyone.get('/v1/a2a/remotes'), { status: 401 })
  const agent = await ada.agent()
  t.match(await booted.as(agent.id, { type: 'agent', owner: 'ada' }).get('/v1/a2a/remotes'), { status: 403 })
  t.match(await ada.put(path, { name: 'Met Office' }), {
    status: 200,
    body: { data: { name: 'Met Office', version: 2 } }
  })
  t.match(await ada.put(path, { name: 'x' }, { 'if-match': '"1"' }), { status: 412 })
  t.match(await ada.put(path, { nme: 'x' }), { status: 400, body: { error: { param: '/nme' } } })
  t.match(await ada.post(`${path}/refresh`), { status: 200, body: { data: { name: 'Met Office' } } })
  t.ok((await ada.get('/v1/a2a/remotes?limit=1')).body.nextCursor)
  t.equal((await ada.delete(path)).status, 200)
  t.match(await ada.get(path), { status: 404 })
  t.match(await ada.get(`/v1/tools/${data.toolId}`), { status: 404 }, 'its tool goes with it')
})

t.test('cards that are of no use are refused, and nothing is kept', async (t) => {
  const card = { name: 'X', protocolVersion: '0.3.0', url: 'http://127.0.0.1:9/rpc' }
  const of = async (respond: Parameters<typeof liar>[1]) => register(ada, `${await liar(t, respond)}/card`)
  const json = (it: unknown) => of((_, response) => void response.end(JSON.stringify(it)))
  const [before] = await booted.platform.knex('a2a.remote').count({ count: '*' })
  const unusable = { status: 502, body: { error: { code: 'card_unusable' } } }
  t.match(await of((_, response) => void response.end('x'.repeat(10_000_000))), {
    status: 502,
    body: { error: { code: 'reply_too_large' } }
  })
  t.match(await of((_, response) => void response.end('<html>')), unusable)
  t.match(await of((_, response) => void response.writeHead(404).end('{}')), unusable)
  t.match(
    await of((_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/card' }).end()),
    { status: 502 }
  )
  t.match(
    await of((request, response) => void response.writeHead(302, { location: `${request.url}x` }).end()),
    { status: 502 }
  )
  t.match(await of((_, response) => void response.destroy()), { status: 502 })
  for (const it of [
    null,
    [],
    5,
    {},
    { name: '' },
    { ...card, name: 5 },
    { ...card, protocolVersion: '9' },
    { ...card, url: 'nowhere:' }
  ])
    t.match(await json(it), { status: /400|502/ }, JSON.stringify(it))
  t.match(await json({ ...card, url: 'http://169.254.169.254/' }), { status: 400 })
  const forged = await remoteAgent(t, { signed: true, tampered: true })
  t.match(await register(ada, forged.cardUrl), {
    status: 502,
    body: { error: { code: 'signature_invalid' } }
  })
  for (const address of ['nowhere', 'file:///etc/passwd', 'http://10.0.0.1/card', ''])
    t.match(await register(ada, address), { status: 400, body: { error: { param: '/cardUrl' } } }, address)
  t.same(await booted.platform.knex('a2a.remote').count({ count: '*' }), [before])
  const long = await json({
    ...card,
    name: `A\nB\u202e${'x'.repeat(1_000)}`,
    skills: Array(500).fill({ name: 5 })
  })
  t.match(long.body.data, { name: /^A B x+$/, description: '' })
  t.equal(long.body.data.skills.length, 100)
})

t.test('an agent elsewhere that lies or breaks off is a failed call', async (t) => {
  let reply: Parameters<typeof liar>[1] = () => undefined
  const url = await liar(t, (request, response) => {
    if (request.url !== '/card') return reply(request, response)
    const supportedInterfaces = [{ url: '/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
    response.end(JSON.stringify({ name: 'Liar', supportedInterfaces, capabilities: { streaming: true } }))
  })
  const { data } = (await register(ada, `${url}/card`)).body
  const agent = await worker(data.toolId)
  const event = (result: object, id = 1) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
  const sse = { 'content-type': 'text/event-stream' }
  for (const [what, respond] of [
    ['a page', (_, response) => void response.end('<html>')],
    ['an error', (_, response) => void response.writeHead(500).end('secret stack')],
    ['a redirect', (_, response) => void response.writeHead(307, { location: 'http://10.0.0.1/' }).end()],
    ['another id', (_, response) => void response.writeHead(200, sse).end(event({ task: { id: 'x' } }, 7))],
    ['no JSON', (_, response) => void response.writeHead(200, sse).end('data: {\n\n')],
    [
      'a broken stream',
      (_, response) => {
        response
          .writeHead(200, sse)
          .write(event({ task: { id: 'x', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }))
        setImmediate(() => response.destroy())
      }
    ]
  ] as [string, Parameters<typeof liar>[1]][]) {
    reply = respond
    const { status, content } = await run(agent, `/call ask_liar {"message": "${what}"}`)
    t.equal(status, 'completed', what)
    t.match(content, /could not be given the task|redirects|cannot be reached|broke off/, what)
  }
})
