// budget: 8 s, because it boots packs that ask models for themselves, and a tool server
import { readFile } from 'node:fs/promises'
import { inputRequired } from '@modelcontextprotocol/server'
import t from 'tap'
import {
  faultsOf,
  grant,
  ledgerOf,
  local,
  openReservations,
  run,
  setPrice,
  sumOf,
  town
} from '../../plugins/credits/test/testbed.ts'
import { caller, connect } from '../../plugins/mcp/test/testbed.ts'
import { schemaOf, toolServer } from '../../plugins/mcp/test/tool-server-fixture.ts'
import { json } from '../loopback.ts'
import { modelServer } from '../models.ts'

const env = { OUTGOING_ALLOW: '127.0.0.0/8', MCP_SAMPLING: 'true', CREDITS_REPLY_TOKENS: '100' }
const { booted, as, root, settled, platform } = await town(
  t,
  { env },
  'mcp',
  'memory',
  'observability',
  'images',
  'audio',
  'files',
  'providers'
)
await setPrice(root, 'model', 'local/*', { output: '1000' })
const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: '/say forty two' } }]
const said = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
const server = await toolServer(t, 'modern', (server) => {
  server.registerTool(
    'think',
    { description: 'Thinks', inputSchema: schemaOf({}) },
    async (_, { mcpReq }) => {
      if (mcpReq.inputResponses) return said(mcpReq.inputResponses.model)
      return inputRequired({
        inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 50 }) }
      })
    }
  )
})

interface Entry {
  readonly amount: string
  readonly runId: string | null
  readonly agentId: string
  readonly quantity: { readonly outputTokens: number }
}
const spentBy = (client: ReturnType<typeof as>): Promise<readonly Entry[]> => ledgerOf(client, '&kind=usage')
const nothingIsLeft = async () => {
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
}

t.test('a tool server that asks the model has who called it charged', async (t) => {
  const ada = as('ada')
  await grant(root, ada, '1')
  const { tools } = await connect(ada, { url: server.url })
  const think = await caller(ada, tools)
  t.match(await think('think'), { status: 200, body: { data: { output: /forty two/ } } })
  await settled()
  const [alone, ...others] = await spentBy(ada)
  t.same(others, [])
  t.match(alone, {
    runId: null,
    amount: '-0.003',
    modelProvider: 'local',
    toolName: null,
    price: { output: '1000' }
  })

  const agent = await ada.agent({ ...local, maxTokens: 50 })
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: tools[0]?.id })
  const { id, usage } = (await run(ada, agent, `/call ${tools[0]?.name} {}`)).body.data
  await settled()
  const ofRun: Entry[] = await ledgerOf(ada, `&runId=${id}`)
  t.same(
    ofRun.map(({ quantity }) => quantity.outputTokens).sort((a, b) => a - b),
    [3, usage.outputTokens],
    'the run, and what was asked in its middle'
  )
  const total = (await ada.get(`/v1/usage/agents/${agent.id}`)).body.data.total
  t.match(total, { modelCalls: 3, outputTokens: usage.outputTokens + 3 })
  t.equal(sumOf(ofRun.map(({ amount }) => amount)), `-${total.cost}`)
  await nothingIsLeft()
})

t.test('who has too little is refused, and the model is not asked', async (t) => {
  const poor = as('poor')
  await grant(root, poor, '0.049')
  const { tools } = await connect(poor, { url: server.url })
  const think = await caller(poor, tools)
  const { body } = await think('think')
  t.match(JSON.stringify(body), /may cost 0\.05 credits/)
  await settled()
  t.same(await spentBy(poor), [])
  t.same(await platform.knex('kernel.fact').where({ name: 'models.asked', owner: poor.id }), [])
  await nothingIsLeft()
})

t.test('what is remembered of a run is charged to its owner, and left where it cannot be', async (t) => {
  const [rich, poor] = [as('rich'), as('short')]
  await grant(root, rich, '1')
  await grant(root, poor, '0.09')
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === 'memory.extract')
  const learn = async (client: typeof rich) => {
    const agent = await client.agent({ ...local, maxTokens: 50 })
    await client.patch(`/v1/memory/agents/${agent.id}/settings`, { extraction: true })
    const { id: runId, sessionId } = (await run(client, agent, 'I live in Delft')).body.data
    const order = { project: 'default', owner: client.id, runId, sessionId, agentId: agent.id }
    await worker?.value.work(order, new AbortController().signal)
    await settled()
    return { agent, entries: (await ledgerOf(client, `&runId=${runId}`)) as Entry[] }
  }
  const { agent, entries } = await learn(rich)
  t.equal(entries.length, 2)
  t.equal((await rich.get(`/v1/usage/agents/${agent.id}`)).body.data.total.modelCalls, 2)
  t.equal((await learn(poor)).entries.length, 1, 'the run alone')
  await nothingIsLeft()
})

t.test('what is drawn, spoken and heard has prices, and is charged to who asks', async (t) => {
  const [painter, broke] = [as('painter'), as('broke')]
  const mp3 = await readFile(new URL('../fixtures/recordings/fox.mp3', import.meta.url))
  const heard = { text: 'Tea is at four', duration: 61.5, language: 'english', segments: [] }
  const provider = await modelServer(t, (reply, { path }) =>
    path === '/audio/speech' ? reply.end(mp3) : json(reply, 200, heard)
  )
  for (const [capability, modelId] of [
    ['speech', 'voice'],
    ['transcription', 'ear']
  ] as const) {
    const chosen = { provider: 'openai-compatible', modelId, baseUrl: provider.url, apiKey: 'secret-key' }
    t.equal((await root.put(`/v1/providers/${capability}`, chosen)).status, 200)
  }
  const before = { status: 400, body: { error: { param: '/input' } } }
  t.match(await root.post('/v1/credits/prices', { kind: 'image', target: '*', input: '1' }), before)
  await setPrice(root, 'image', 'drawing/*', { call: '0.04' })
  await setPrice(root, 'speech', '*', { call: '0.5' })
  await setPrice(root, 'transcription', '*', { call: '0.6' })
  await grant(root, painter, '3')
  await grant(root, broke, '0.05')
  const draw = async (client: typeof painter, count: number) => {
    const agent = await client.agent()
    return client.post(`/v1/agents/${agent.id}/assets/images`, { prompt: 'A harbour', kind: 'avatar', count })
  }
  const hear = async (client: typeof painter) => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(160_000)]), 'tea.wav')
    const headers = { authorization: `Bearer ${await client.key()}` }
    return fetch(`${booted.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
  }
  t.equal((await draw(painter, 2)).status, 201)
  t.equal((await painter.post('/v1/audio/speech', { text: 'Tea is at four' })).status, 201)
  t.equal((await hear(painter)).status, 200)
  t.match(await draw(broke, 2), { status: 402, body: { error: { code: 'credits_exhausted' } } })
  t.match(await hear(broke), { status: 402 })
  t.equal((await draw(broke, 1)).status, 201)
  await settled()
  const entries = await spentBy(painter)
  const shown = entries.map(({ amount, quantity }) => [amount, quantity])
  t.same(
    new Set(shown.map((it) => JSON.stringify(it))),
    new Set(['["-0.08",{"images":2}]', '["-0.007",{"characters":14}]', '["-0.62",{"seconds":61.5}]'])
  )
  t.match(await spentBy(broke), [{ amount: '-0.04', modelProvider: 'drawing' }])
  await nothingIsLeft()
})
