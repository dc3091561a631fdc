import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import type { Asked } from '../../../test/models.ts'
import { modelServer, modelsOf } from '../../../test/models.ts'

/** A vector that tells texts apart: their length, and 1. */
const vectorOf = (text: string) => [text.length, 1, 0]

const inputOf = ({ body }: Asked) => body?.input as string[]
const listed = (asked: Asked, reversed = false) => {
  const data = inputOf(asked).map((text, index) => ({ index, embedding: vectorOf(text) }))
  return { data: reversed ? data.toReversed() : data, usage: { prompt_tokens: 3 } }
}
const secrets = /key-of-(operator|project)/
const running = boot(t, 'outgoing', 'models', { env: { OUTGOING_ALLOW: '127.0.0.1' } })
const compatible = { modelProvider: 'openai-compatible', modelId: 'vectors' }

/** A project with a server of its own. */
async function projectWith(
  name: string,
  t: Parameters<typeof modelServer>[0],
  handle: Parameters<typeof modelServer>[1]
) {
  // It is asked for its models, too.
  const server = await modelServer(t, (reply, asked) =>
    asked.method === 'GET' ? json(reply, 200, { data: [] }) : handle(reply, asked)
  )
  const booted = await running
  const service = booted.as('backend', { type: 'service', project: name })
  const access = { baseUrl: server.url, apiKey: 'key-of-project' }
  await service.put('/v1/models/providers/openai-compatible', access)
  const asked = () => server.asked.filter(({ method }) => method === 'POST')
  return { asked, service, models: modelsOf(booted) }
}

t.test('many texts are asked in batches, and come back in order and of length 1', async (t) => {
  const { asked, models } = await projectWith('batches', t, (reply, it) => json(reply, 200, listed(it, true)))
  const embedder = await models.embedding('batches', compatible)
  t.match(embedder, { id: 'openai-compatible/vectors', isLocal: false })
  const texts = Array.from({ length: 200 }, (_, length) => 'x'.repeat(length))
  const vectors = await embedder.embed(texts, { as: 'document' })
  t.same(
    asked()
      .map((it) => inputOf(it).length)
      .sort(),
    [8, 96, 96]
  )
  for (const [length, vector] of vectors.entries()) {
    t.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
    t.ok(Math.abs((vector[0] ?? 0) / (vector[1] ?? 0) - length) < 1e-3)
  }
  t.match(asked()[0], {
    path: '/embeddings',
    headers: { authorization: 'Bearer key-of-project' },
    body: { model: 'vectors', encoding_format: 'float' }
  })
})

t.test('what fails in passing is asked again, what fails for good is not', async (t) => {
  const plans: Record<string, readonly number[]> = {
    recovers: [429, 503, 200],
    refused: [401],
    gone: [500, 500, 500, 500]
  }
  for (const [name, plan] of Object.entries(plans)) {
    let call = 0
    const { asked, models } = await projectWith(name, t, (reply, it) => {
      const status = plan[call++] as number
      reply.setHeader('retry-after', '0')
      json(reply, status, status === 200 ? listed(it) : { error: { message: 'no key-of-project' } })
    })
    const asking = (await models.embedding(name, compatible)).embed(['one'], { as: 'query' })
    if (name === 'recovers') t.equal((await asking).length, 1)
    else {
      const error = await asking.catch((error) => error)
      t.match(error, { code: name === 'refused' ? 'embedding_failed' : 'embedding_unavailable' })
      t.notMatch(JSON.stringify([error, error.message, error.cause, error.cause?.message]), secrets)
    }
    t.equal(asked().length, plan.length)
  }
})

t.test('a server that answers with something else fails clearly', async (t) => {
  const replies = [
    '<html>',
    '{"data":[]}',
    '{"data":[{"index":0,"embedding":[]}]}',
    '{"data":[{"index":7,"embedding":[1]}]}',
    '{"data":[{"index":0,"embedding":["a"]}]}',
    '{"error":{"message":"no such model","type":"not_found"}}'
  ]
  for (const [index, text] of replies.entries()) {
    const { asked, models } = await projectWith(`strange-${index}`, t, (reply) => reply.end(text))
    const embedder = await models.embedding(`strange-${index}`, compatible)
    await t.rejects(embedder.embed(['one'], { as: 'document' }), { code: 'embedding_failed' }, text)
    t.equal(asked().length, 1)
  }
})

t.test('an abort ends it, also while it waits to ask again', async (t) => {
  const { models } = await projectWith('aborted', t, (reply) => {
    reply.setHeader('retry-after', '20')
    json(reply, 429, {})
  })
  const signal = AbortSignal.timeout(100)
  const embedder = await models.embedding('aborted', compatible)
  await t.rejects(embedder.embed(['one'], { as: 'query', signal }), { name: /TimeoutError|AbortError/ })
})

t.test('google is asked by its own client, and told what texts are', async (t) => {
  const server = await modelServer(t, (reply, { body }) => {
    const count = (body?.requests as object[] | undefined)?.length ?? 0
    const vector = { values: [3, 4] }
    json(reply, 200, count > 0 ? { embeddings: Array(count).fill(vector) } : { embedding: vector })
  })
  const booted = await running
  const service = booted.as('backend', { type: 'service', project: 'google' })
  await service.put('/v1/models/providers/google', { baseUrl: server.url, apiKey: 'key-of-project' })
  const embedder = await modelsOf(booted).embedding('google', { modelProvider: 'google', modelId: null })
  t.equal(embedder.id, 'google/gemini-embedding-001')
  t.same(
    (await embedder.embed(['one', 'two'], { as: 'document' })).map((it) => [...it]),
    Array(2).fill([Math.fround(0.6), Math.fround(0.8)])
  )
  await embedder.embed(['one'], { as: 'query' })
  t.match(JSON.stringify(server.asked[0]?.body), /RETRIEVAL_DOCUMENT/)
  t.match(JSON.stringify(server.asked[1]?.body), /RETRIEVAL_QUERY/)
})

t.test('a project chooses its embedding model, once that has answered', async (t) => {
  let works = false
  const { service, models } = await projectWith('choosing', t, (reply, asked) =>
    works ? json(reply, 200, listed(asked)) : json(reply, 404, {})
  )
  const path = '/v1/models/embedding'
  const booted = await running
  const nothing = { status: 503, body: { error: { code: 'model_not_configured' } } }
  t.match(await service.get(path), nothing)
  await t.rejects(models.embedding('choosing'), { code: 'model_not_configured' })
  t.match(await service.put(path, compatible), {
    status: 502,
    body: { error: { code: 'embedding_failed' } }
  })
  works = true
  const chosen = await service.put(path, compatible, { 'if-match': '"0"' })
  t.match(chosen, { status: 200, body: { data: { ...compatible, source: 'project', version: 1 } } })
  t.match(await service.put(path, compatible, { 'if-match': '"9"' }), { status: 412 })
  t.match(await service.put(path, chosen.body.data), { body: { data: { version: 1 } } }, 'sent back')
  t.equal((await models.embedding('choosing')).id, 'openai-compatible/vectors')

  const bad = (body: object) => service.put(path, body)
  const missing = { error: { param: '/modelProvider', code: 'modality_missing' } }
  t.match(await bad({ modelProvider: 'anthropic', modelId: null }), { status: 400, body: missing })
  t.match(await bad({ modelProvider: 'nope', modelId: null }), { status: 400 })
  t.match(await bad({ modelProvider: 'openai' }), { status: 400 })
  const user = booted.as('ada', { project: 'choosing' })
  t.match(await user.get(path), { status: 200 })
  t.match(await user.put(path, compatible), { status: 403, body: { error: { code: 'not_project_wide' } } })
  t.match(await user.delete(path), { status: 403 })
  t.match(await booted.anyone.get(path), { status: 401 })

  const { body } = await user.get('/v1/models?limit=100')
  const vectors = body.data.filter((it: { modalities: string[] }) => it.modalities.includes('embedding'))
  t.same(
    vectors.flatMap((it: { default: boolean; id: string }) => (it.default ? it.id : [])),
    ['openai-compatible/vectors']
  )
  t.match(
    vectors.find((it: { id: string }) => it.id === 'openai/text-embedding-3-small'),
    { dimensions: 1536, configured: false, contextTokens: null }
  )

  t.match(await service.delete(path), { status: 200 })
  t.match(await service.delete(path), { status: 404 })
  t.match(await service.get(path), nothing)
})
