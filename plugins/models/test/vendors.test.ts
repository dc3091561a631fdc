import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { asking, events, modelServer, modelsOf, replyOf } from '../../../test/models.ts'
import { tools, vendors } from './vendors-fixture.ts'

/** A platform whose operator uses `server` for every vendor, while projects may use others on this machine. */
async function platform(t: Parameters<typeof boot>[0]) {
  const answers = Object.values(vendors)
  const server = await modelServer(t, (response, { path }) =>
    events(response, answers.find((vendor) => path === `/base${vendor.path}`)?.reply ?? [])
  )
  const base = `${server.url}/base`
  const key = 'key-of-operator'
  const env = {
    OPENAI_BASE_URL: base,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: key,
    GOOGLE_GENERATIVE_AI_BASE_URL: base,
    GOOGLE_GENERATIVE_AI_API_KEY: key,
    OUTGOING_ALLOW: '127.0.0.1'
  }
  return { server, booted: await boot(t, 'outgoing', 'models', { env }) }
}
const running = platform(t)

/** A model of a project of its own, by its own key at its own address. */
async function own(modelProvider: string, project: string, baseUrl: string) {
  const { booted } = await running
  const service = booted.as('backend', { type: 'service', project })
  await service.put(`/v1/models/providers/${modelProvider}`, { apiKey: 'key-of-project', baseUrl })
  const { languageModel } = await modelsOf(booted).resolve(project, { modelProvider, modelId: null })
  return languageModel
}

for (const [modelProvider, { header, credential, path, reply, refusal }] of Object.entries(vendors)) {
  t.test(`${modelProvider}: text, a tool call and usage, by the operator's key`, async (t) => {
    const { server, booted } = await running
    const { languageModel } = await modelsOf(booted).resolve('default', { modelProvider, modelId: null })
    const parts = await replyOf(languageModel, { ...asking('Is there tea?'), tools })
    const text = parts.flatMap((part) => (part.type === 'text-delta' ? part.delta : [])).join('')
    t.equal(text, 'Let me look.')
    const call = parts.find((part) => part.type === 'tool-call')
    t.match(call, { toolName: 'search' })
    t.same(JSON.parse(call?.input ?? ''), { query: 'tea' })
    t.match(
      parts.find((part) => part.type === 'finish'),
      {
        finishReason: { unified: 'tool-calls' },
        usage: { inputTokens: { total: 16, cacheRead: 4 }, outputTokens: { total: 9 } }
      }
    )
    t.match(server.asked.at(-1), { method: 'POST', path: `/base${path}`, headers: { [header]: credential } })
  })

  t.test(`${modelProvider}: an image is shown to it`, async (t) => {
    const { server, booted } = await running
    const { languageModel } = await modelsOf(booted).resolve('default', { modelProvider, modelId: null })
    const bytes = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
    const file = {
      type: 'file' as const,
      mediaType: 'image/jpeg',
      data: { type: 'data' as const, data: bytes }
    }
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Look' }, file] }]
    await replyOf(languageModel, { ...asking(''), prompt })
    const told = JSON.stringify(server.asked.at(-1))
    t.ok(told.includes(bytes.toString('base64')), told)
    t.match(told, /image\/jpeg/)
  })

  t.test(`${modelProvider}: a refusal comes once and without the key`, async (t) => {
    const server = await modelServer(t, (response) => json(response, 401, refusal))
    const languageModel = await own(modelProvider, `${modelProvider}-refused`, server.url)
    const error = await Promise.resolve(languageModel.doStream(asking('Hi.'))).catch((error) => error)
    t.match(error, { name: 'AI_APICallError', statusCode: 401, isRetryable: false })
    t.notMatch(JSON.stringify({ ...error, message: error.message }), /key-of-(project|operator)/)
    t.equal(server.asked.length, 1)
    t.match(server.asked[0]?.headers[header], /key-of-project$/)
  })

  t.test(`${modelProvider}: an abort ends it`, async (t) => {
    const server = await modelServer(t, (response) => response.flushHeaders())
    const languageModel = await own(modelProvider, `${modelProvider}-silent`, server.url)
    const abortSignal = AbortSignal.timeout(50)
    const reading = replyOf(languageModel, { ...asking('Hi.'), abortSignal })
    await t.rejects(reading, { name: /TimeoutError|AbortError/ })
  })

  t.test(`${modelProvider}: a redirect is not followed`, async (t) => {
    const elsewhere = await modelServer(t, (response) => events(response, reply))
    const server = await modelServer(t, (response) =>
      response.writeHead(307, { location: `${elsewhere.url}${path}` }).end()
    )
    const languageModel = await own(modelProvider, `${modelProvider}-redirected`, server.url)
    await t.rejects(async () => languageModel.doStream(asking('Hi.')))
    t.same(elsewhere.asked, [])
  })
}

t.test('openai: models that refuse tools while they reason are told not to', async (t) => {
  const { server, booted } = await running
  const efforts = async (modelId: string) => {
    const { languageModel } = await modelsOf(booted).resolve('default', { modelProvider: 'openai', modelId })
    await replyOf(languageModel, { ...asking('Hi.'), tools })
    await languageModel.doGenerate(asking('Hi.'))
    await replyOf(languageModel, { ...asking('Hi.'), tools, reasoning: 'low' })
    // As runs ask.
    const parts = await languageModel.doParts?.({ ...asking('Hi.'), tools })
    while (await parts?.next());
    return server.asked.slice(-4).map(({ body }) => body?.reasoning_effort)
  }
  t.same(await efforts('gpt-5.4-mini'), [undefined, undefined, 'low', undefined])
  for (const modelId of ['gpt-5.5', 'gpt-5.6-terra', 'gpt-6-luna'])
    t.same(await efforts(modelId), ['none', undefined, 'low', 'none'])
})
