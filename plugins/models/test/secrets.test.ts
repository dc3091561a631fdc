import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { asking, events, modelServer, modelsOf } from '../../../test/models.ts'

const SECRET = 'sk-of-the-project-4711'
const OPERATORS = 'sk-of-the-operator-0815'
const own = { modelProvider: 'openai-compatible', modelId: 'm' }

const completion = [
  {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }]
  },
  {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }]
  }
]

const completions = (t: Parameters<typeof boot>[0]) =>
  modelServer(t, (reply, { path }) =>
    path.endsWith('/models') ? json(reply, 200, { data: [{ id: 'm' }] }) : events(reply, completion)
  )

async function run(booted: Booted, choice: { modelProvider: string; modelId: string }, project = 'default') {
  const { languageModel } = await modelsOf(booted).resolve(project, choice)
  const { stream } = await languageModel.doStream(asking('Hi.'))
  return Array.fromAsync(stream)
}

t.test('a key is nowhere to be read', async (t) => {
  const lines: string[] = []
  const booted = await boot(t, 'outgoing', 'models', 'packs', {
    env: { OPENAI_COMPATIBLE_API_KEY: OPERATORS, OPENAI_API_KEY: OPERATORS },
    log: (line) => lines.push(JSON.stringify(line))
  })
  const { as, admin, platform } = booted
  const service = as('backend', { type: 'service' })
  const provider = '/v1/models/providers/anthropic'
  const replies = [
    await service.put(provider, { apiKey: SECRET, baseUrl: 'https://models.example.com' }),
    await service.put(provider, { apiKey: SECRET, baseUrl: 'http://10.0.0.1' }),
    await service.put(provider, { apiKey: `${SECRET} ` }),
    await service.put(provider, { baseUrl: 'https://other.example.com' }),
    await service.get(provider),
    await service.get('/v1/models/providers'),
    await booted.anyone.get('/v1/models?limit=100'),
    await admin.get('/v1/packs/models'),
    await service.delete(provider),
    await service.put(provider, { apiKey: SECRET })
  ]
  await booted.settled()
  const facts = await platform.knex('kernel.fact').where('name', 'like', 'models.%').orderBy('id')
  t.match(
    facts.map(({ name, data }) => [name, data]),
    [
      ['models.provider_configured', { apiKey: { set: true }, version: 1 }],
      ['models.provider_reset', { provider: 'anthropic' }],
      ['models.provider_configured', { provider: 'anthropic', baseUrl: null, version: 1 }]
    ]
  )
  const rows = await platform.knex('models.configuration')
  t.match(rows, [{ provider: 'anthropic', apiKey: /^v1\./ }])
  const everything = JSON.stringify([replies.map(({ text }) => text), facts, rows, lines])
  t.notOk(everything.includes(SECRET))
  t.notOk(everything.includes(OPERATORS))

  const { modelService } = { modelService: modelsOf(booted) }
  const { languageModel } = await modelService.resolve('default', {
    modelProvider: 'anthropic',
    modelId: null
  })
  t.notOk(JSON.stringify(languageModel).includes(SECRET))
})

t.test('nor in the names of models that its server makes of it', async (t) => {
  const server = await modelServer(t, (reply, { headers: { authorization = '' } }) =>
    json(reply, 200, {
      data: [authorization, encodeURIComponent(authorization), 'm'].map((id) => ({ id }))
    })
  )
  const { as } = await boot(t, 'outgoing', 'models', { env: { OUTGOING_ALLOW: server.host } })
  const service = as('backend', { type: 'service' })
  await service.put('/v1/models/providers/openai-compatible', { apiKey: SECRET, baseUrl: server.url })
  const { text, body } = await as('ada').get('/v1/models?limit=100')
  t.notOk(text.includes(SECRET))
  t.same(
    body.data
      .filter(({ modelProvider }: { modelProvider: string }) => modelProvider === 'openai-compatible')
      .map(({ modelId }: { modelId: string }) => modelId),
    ['m']
  )
})

t.test(
  "a project's key goes to its own address or the operator's, the operator's to his alone",
  async (t) => {
    const operators = await completions(t)
    const projects = await completions(t)
    const booted = await boot(t, 'outgoing', 'models', {
      env: {
        OPENAI_COMPATIBLE_BASE_URL: operators.url,
        OPENAI_COMPATIBLE_API_KEY: OPERATORS,
        OPENAI_API_KEY: OPERATORS,
        OPENAI_BASE_URL: operators.url,
        OUTGOING_ALLOW: projects.host
      }
    })
    const service = booted.as('backend', { type: 'service' })
    const provider = '/v1/models/providers/openai-compatible'
    const bearers = ({ asked }: typeof operators) =>
      new Set(asked.map(({ headers }) => headers.authorization))

    await run(booted, own)
    t.same(bearers(operators), new Set([`Bearer ${OPERATORS}`]))
    t.match(await service.put(provider, { baseUrl: projects.url }), { status: 200 })
    await run(booted, own)
    t.same(bearers(projects), new Set([undefined]), 'an address of the project without a key of the project')
    t.match(await service.put(provider, { apiKey: SECRET }), { status: 200 })
    await run(booted, own)
    t.same(bearers(projects), new Set([undefined, `Bearer ${SECRET}`]))
    t.match(await service.put(provider, { apiKey: SECRET, baseUrl: null }), { status: 200 })
    operators.asked.length = 0
    await run(booted, own)
    t.same(bearers(operators), new Set([`Bearer ${SECRET}`]))
    operators.asked.length = 0
    await run(booted, own, 'other')
    t.same(bearers(operators), new Set([`Bearer ${OPERATORS}`]), 'other projects are as before')

    t.match(await service.put('/v1/models/providers/openai', { baseUrl: projects.url }), {
      body: { data: { configured: false, source: null } }
    })
    await t.rejects(run(booted, { modelProvider: 'openai', modelId: 'm' }), { code: 'model_not_configured' })
  }
)

t.test('an address that was allowed before is refused when it is no longer', async (t) => {
  const server = await completions(t)
  const env = { OUTGOING_ALLOW: server.host }
  const first = await boot(t, 'outgoing', 'models', { env })
  const service = first.as('backend', { type: 'service' })
  const set = await service.put('/v1/models/providers/openai-compatible', { baseUrl: server.url })
  t.match(set.body.data, { configured: true, models: [{ modelId: 'm' }] })
  t.ok(await run(first, own))
  const before = server.asked.length
  const second = await boot(t, 'outgoing', 'models', { beside: first })
  await t.rejects(run(second, own))
  t.equal(server.asked.length, before)
})

t.test('another instance hears of a change', async (t) => {
  const server = await completions(t)
  const env = { OUTGOING_ALLOW: server.host, OPENAI_COMPATIBLE_BASE_URL: server.url }
  const first = await boot(t, 'outgoing', 'models', { env })
  const second = await boot(t, 'outgoing', 'models', { env, beside: first })
  await run(second, own)
  const service = first.as('backend', { type: 'service' })
  await service.put('/v1/models/providers/openai-compatible', { apiKey: SECRET })
  const last = () => server.asked.at(-1)?.headers.authorization
  while (last() !== `Bearer ${SECRET}`) await run(second, own)
  t.equal(last(), `Bearer ${SECRET}`)
})
