import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { asking, modelServer, modelsOf } from '../../../test/models.ts'

const none = { modelProvider: null, modelId: null }
const notConfigured = { kind: 'unavailable', code: 'model_not_configured' }

interface Listed {
  readonly id: string
  readonly modelProvider: string
  readonly configured: boolean
  readonly default: boolean
}

const bare = boot(t, 'outgoing', 'models')
const keyed = boot(t, 'outgoing', 'models', { env: { GEMINI_API_KEY: 'g', ANTHROPIC_API_KEY: 'a' } })

t.test('anyone sees which models there are, page by page', async (t) => {
  const { anyone } = await bare
  const all: Listed[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await anyone.get(`/v1/models?limit=10${cursor}`)
    t.equal(status, 200)
    all.push(...body.data)
    if (body.nextCursor === null) break
    t.equal(body.data.length, 10)
    cursor = `&cursor=${body.nextCursor}`
  }
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
  t.same(
    [...new Set(all.map((it) => it.modelProvider))],
    ['openai', 'anthropic', 'google', 'cohere', 'perplexity', 'local']
  )
  t.same(
    all.filter((it) => it.configured),
    [
      {
        id: 'local/development',
        modelProvider: 'local',
        modelId: 'development',
        name: 'Built-in development model',
        contextTokens: 1_000_000,
        outputTokens: null,
        inputModalities: ['text'],
        modalities: ['language'],
        dimensions: null,
        configured: true,
        default: true
      }
    ]
  )
  t.match(await anyone.get('/v1/models?cursor=abc'), { status: 400, body: { error: { param: 'cursor' } } })
  t.match(await anyone.get('/v1/models?limit=0'), { status: 400, body: { error: { param: 'limit' } } })
  t.match(await anyone.get('/v1/models?kind=x'), { status: 400, body: { error: { param: 'kind' } } })
})

t.test(
  'the list tells what the environment configures, and the default, also one that nobody knows',
  async (t) => {
    const env = { ANTHROPIC_API_KEY: 'sk-a', MODEL_PROVIDER: 'anthropic', MODEL_ID: 'claude-next' }
    const { anyone } = await boot(t, 'outgoing', 'models', { env })
    const { body } = await anyone.get('/v1/models?limit=100')
    const all: Listed[] = body.data
    t.same(
      all.filter((it) => it.default),
      [
        {
          id: 'anthropic/claude-next',
          modelProvider: 'anthropic',
          modelId: 'claude-next',
          name: 'claude-next',
          contextTokens: null,
          outputTokens: null,
          inputModalities: null,
          modalities: ['language'],
          dimensions: null,
          configured: true,
          default: true
        }
      ]
    )
    t.same(
      [...new Set(all.filter((it) => it.configured).map((it) => it.modelProvider))],
      ['anthropic', 'local']
    )
  }
)

t.test('without any key the built-in model answers', async (t) => {
  const models = modelsOf(await bare)
  const local = await models.resolve('default', none)
  t.match(local, { modelProvider: 'local', modelId: 'development' })
  t.equal(await models.resolve('other', none), local, 'made once')
  const choice = { modelProvider: 'local', modelId: 'my-own' }
  t.match(await models.resolve('default', choice), choice)
  const { content } = await local.languageModel.doGenerate(asking('Hi.'))
  t.same(content, [{ type: 'text', text: 'You said: Hi.' }])
  for (const modelProvider of ['openai', 'anthropic', 'google', 'openai-compatible'])
    await t.rejects(models.resolve('default', { modelProvider, modelId: null }), notConfigured)
  const gone = { kind: 'conflict', code: 'model_provider_unknown' }
  await t.rejects(models.resolve('default', { modelProvider: 'nobody', modelId: null }), gone)
})

t.test('without a choice the first provider with a key answers', async (t) => {
  const models = modelsOf(await keyed)
  const first = await models.resolve('default', none)
  t.match(first, { modelProvider: 'anthropic', modelId: 'claude-sonnet-5-5', contextTokens: 1_000_000 })
  t.equal(await models.resolve('other', none), first)
  const unheard = { modelProvider: 'google', modelId: 'gemini-9' }
  t.match(await models.resolve('default', unheard), { ...unheard, contextTokens: null })
  const snapshot = { modelProvider: 'anthropic', modelId: 'claude-haiku-4-5-20251001' }
  t.match(await models.resolve('default', snapshot), { ...snapshot, outputTokens: 64_000 })
})

t.test('what a model takes is known, or what its provider says of others', async (t) => {
  const takes = async (booted: Awaited<typeof bare>, modelProvider: string, modelId: string) =>
    (await modelsOf(booted).resolve('default', { modelProvider, modelId })).inputModalities
  const seeing = ['text', 'image']
  t.same(await takes(await keyed, 'anthropic', 'claude-haiku-4-5-20251001'), seeing)
  t.same(await takes(await keyed, 'google', 'gemini-9'), seeing)
  t.same(await takes(await keyed, 'local', 'development'), ['text'])
  const data = [
    { id: 'plain' },
    { id: 'blind', architecture: { input_modalities: ['text'] } },
    { id: 'seer', architecture: { input_modalities: ['text', 'image'] } },
    { id: 'mistral', capabilities: { vision: true } },
    { id: 'odd', architecture: { input_modalities: 'image' }, capabilities: { vision: 'yes' } }
  ]
  const { url } = await modelServer(t, (response) => json(response, 200, { data }))
  const env = { OPENAI_COMPATIBLE_BASE_URL: url }
  const said = await boot(t, 'outgoing', 'models', { env })
  const { body } = await said.anyone.get('/v1/models?limit=100')
  const all: (Listed & { inputModalities: string[] | null })[] = body.data
  const listed = all.filter(({ id }) => id.startsWith('openai-compatible/'))
  const wanted = [null, ['text'], seeing, seeing, null]
  t.same(
    listed.map(({ inputModalities }) => inputModalities),
    wanted
  )
  const believed = await boot(t, 'outgoing', 'models', { env: { ...env, OPENAI_COMPATIBLE_IMAGES: 'true' } })
  for (const [index, { id }] of data.entries()) {
    t.same(await takes(said, 'openai-compatible', id), wanted[index] ?? ['text'], id)
    t.same(await takes(believed, 'openai-compatible', id), wanted[index] ?? seeing, id)
  }
})

t.test('a model without a provider is looked for among those that can answer', async (t) => {
  const models = modelsOf(await keyed)
  const resolve = (modelId: string) => models.resolve('default', { modelProvider: null, modelId })
  t.match(await resolve('gemini-2.5-pro'), { modelProvider: 'google' })
  t.match(await resolve('claude-opus-5-5'), { modelProvider: 'anthropic' })
  t.match(await resolve('gpt-5.4'), { modelProvider: 'anthropic', modelId: 'gpt-5.4' })
})

t.test('the deployment chooses the default', async (t) => {
  const env = { ANTHROPIC_API_KEY: 'a', MODEL_PROVIDER: 'local', MODEL_ID: 'echo' }
  const models = modelsOf(await boot(t, 'outgoing', 'models', { env }))
  t.match(await models.resolve('default', none), { modelProvider: 'local', modelId: 'echo' })
  const provider = { modelProvider: 'local', modelId: null }
  t.match(await models.resolve('default', provider), { modelProvider: 'local', modelId: 'echo' })
  const other = { modelProvider: null, modelId: 'unheard-of' }
  t.match(await models.resolve('default', other), { modelProvider: 'local', modelId: 'unheard-of' })
})

t.test('what was asked before costs no query', async (t) => {
  const booted = await keyed
  const models = modelsOf(booted)
  await models.resolve('default', none)
  let queries = 0
  booted.platform.knex.on('query', ({ sql }) => {
    if (sql.includes('models')) queries++
  })
  for (let run = 0; run < 100; run++) await models.resolve('default', none)
  t.equal(queries, 0)
  await models.resolve('fresh', none)
  await Promise.all([models.resolve('another', none), models.resolve('another', none)])
  t.equal(queries, 4, 'what each project chose, and what it set up')
})

t.test('of a list without end only the beginning is looked at', async (t) => {
  const rubbish = Array.from({ length: 1_000 }, () => 7)
  const server = await modelServer(t, (reply) => json(reply, 200, { data: [...rubbish, { id: 'late' }] }))
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1/` }
  const { anyone } = await boot(t, 'outgoing', 'models', { env })
  const { body } = await anyone.get('/v1/models?limit=100')
  t.same(
    body.data.filter((it: Listed) => it.modelProvider === 'openai-compatible'),
    []
  )
  t.equal(server.asked.length, 1)
})

t.test('reads the window of a model under the names that servers have for it', async (t) => {
  const entries: Readonly<
    Record<string, readonly [entry: object, contextTokens: number | null, outputTokens?: number]>
  > = {
    vllm: [{ max_model_len: 8_192 }, 8_192],
    groq: [{ context_window: 8_192, max_completion_tokens: 1_024 }, 8_192, 1_024],
    mistral: [{ max_context_length: 8_192 }, 8_192],
    'llama.cpp': [{ meta: { n_ctx: 4_096, n_ctx_train: 131_072 } }, 4_096],
    'llama.cpp before it is loaded': [{ meta: { n_ctx_train: 131_072 } }, 131_072],
    'lm studio': [{ loaded_context_length: 4_096, max_context_length: 131_072 }, 4_096],
    openrouter: [
      { context_length: 200_000, top_provider: { context_length: 128_000, max_completion_tokens: 9 } },
      128_000,
      9
    ],
    digits: [{ context_length: '8192' }, 8_192],
    copilot: [{ capabilities: { limits: { max_context_window_tokens: 7, max_output_tokens: 3 } } }, 7, 3],
    odd: [{ context_length: -1, max_model_len: null, meta: 'x', n_ctx: 1.5, top_provider: [] }, null]
  }
  const data = Object.entries(entries).map(([id, [entry]]) => ({ id, ...entry }))
  const server = await modelServer(t, (reply) => json(reply, 200, { data }))
  const booted = await boot(t, 'outgoing', 'models', { env: { OPENAI_COMPATIBLE_BASE_URL: server.url } })
  for (const [modelId, [, contextTokens, outputTokens = null]] of Object.entries(entries))
    t.match(
      await modelsOf(booted).resolve('default', { modelProvider: 'openai-compatible', modelId }),
      {
        ...{ contextTokens, outputTokens }
      },
      modelId
    )
})

t.test('a server of chat completions lists its own models, and is asked once', async (t) => {
  const served = { data: [{ id: 'small', max_model_len: 8192 }, { id: 'large' }, { id: '' }, 7] }
  const server = await modelServer(t, (reply) => json(reply, 200, served))
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1/`, OPENAI_COMPATIBLE_API_KEY: 'secret-key' }
  const booted = await boot(t, 'outgoing', 'models', { env })
  const models = modelsOf(booted)
  t.match(await models.resolve('default', none), {
    modelProvider: 'openai-compatible',
    modelId: 'small',
    contextTokens: 8192
  })
  t.match(await models.resolve('default', { modelProvider: null, modelId: 'large' }), { modelId: 'large' })
  const { body } = await booted.anyone.get('/v1/models?limit=100')
  const listed = body.data.filter((it: Listed) => it.modelProvider === 'openai-compatible')
  t.match(listed, [
    { id: 'openai-compatible/small', default: true },
    { id: 'openai-compatible/large', default: false }
  ])
  t.match(server.asked, [{ path: '/v1/models', headers: { authorization: 'Bearer secret-key' } }])
  t.equal(server.asked.length, 1)

  const preferring = modelsOf(
    await boot(t, 'outgoing', 'models', { env: { ...env, OPENAI_COMPATIBLE_MODEL: 'large' } })
  )
  t.match(await preferring.resolve('default', none), { modelId: 'large' })
})

t.test('a server that lists nothing useful has models all the same', async (t) => {
  const replies = [`{"data":[${'{"id":"x"},'.repeat(120_000)}{"id":"y"}]}`, '<html>', '{"models":[]}']
  const booted = await boot(t, 'outgoing', 'models', { env: { OUTGOING_ALLOW: '127.0.0.1' } })
  for (const [index, reply] of replies.entries()) {
    const project = `project-${index}`
    const server = await modelServer(t, (response) => response.end(reply))
    const service = booted.as('backend', { type: 'service', project })
    await service.put('/v1/models/providers/openai-compatible', { baseUrl: server.url })
    const models = modelsOf(booted)
    await t.rejects(models.resolve(project, none), notConfigured)
    t.match(await models.resolve(project, { modelProvider: 'openai-compatible', modelId: 'any' }), {
      modelId: 'any',
      contextTokens: null
    })
    t.equal(server.asked.length, 1)
  }
})

t.test('who has a credential sees the models of the project, and which one is the default', async (t) => {
  const server = await modelServer(t, (reply) => json(reply, 200, { data: [{ id: 'own' }] }))
  const { as, anyone } = await boot(t, 'outgoing', 'models', { env: { OUTGOING_ALLOW: '127.0.0.1' } })
  const service = as('backend', { type: 'service' })
  await service.put('/v1/models/providers/openai-compatible', { baseUrl: server.url })
  const chosen = async (client: typeof anyone) => {
    const { status, body } = await client.get('/v1/models?limit=100')
    t.equal(status, 200)
    return body.data.flatMap((it: Listed) => (it.default ? [[it.id, it.configured]] : []))
  }
  t.same(await chosen(as('ada')), [['openai-compatible/own', true]])
  t.same(await chosen(as('narrow', { scopes: ['agents:read'] })), [['openai-compatible/own', true]])
  t.same(await chosen(as('eve', { project: 'other' })), [['local/development', true]])
  t.same(await chosen(anyone), [['local/development', true]])
  const authorization = 'Bearer ap_test_nobody'
  t.match(await anyone.get('/v1/models', { authorization }), { status: 401 })
})

t.test('an agent names a model provider that there is', async (t) => {
  const { as, admin } = await boot(t, 'packs', 'outgoing', 'models', 'sessions', 'jobs', 'runs')
  const ada = as('ada')
  const unknown = {
    status: 400,
    body: { error: { param: '/modelProvider', message: /nope.*openai, anthropic/ } }
  }
  t.match(await ada.post('/v1/agents', { name: 'A', modelProvider: 'nope' }), unknown)
  const { id } = await ada.agent({ modelProvider: 'local' })
  const agent = `/v1/agents/${id}`
  t.match(await ada.put(agent, { modelProvider: 'nope' }), unknown)
  t.match(await ada.put(agent, { modelProvider: 'google' }), { status: 200 })
  t.match(await ada.put(agent, { modelProvider: null }), { status: 200 })

  // Its pack is off for a while.
  for (const name of ['runs', 'models'])
    t.match(await admin.put(`/v1/packs/${name}`, { enabled: false }), { status: 200 })
  const gone = await ada.put(agent, { modelProvider: 'gone' })
  t.match(gone, { status: 200 })
  for (const name of ['models', 'runs']) await admin.put(`/v1/packs/${name}`, { enabled: true })
  t.match(await ada.put(agent, { ...gone.body.data, name: 'B' }), { status: 200 }, 'may be sent back')
  const messages = [{ role: 'user', content: 'Hello' }]
  t.match(await ada.post('/v1/agents/run', { agentId: id, messages }), {
    status: 409,
    body: { error: { code: 'model_provider_unknown' } }
  })
})
