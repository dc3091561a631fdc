// budget: 6 s, because a real model gives the vectors before they change
import t from 'tap'
import { until } from '../../../test/facts.ts'
import { json, service } from '../../../test/loopback.ts'
import { papers, platform } from './testbed.ts'

/** A model of its own kind: letters are its dimensions. */
const lettersOf = (text: string) =>
  Array.from(
    { length: 26 },
    (_, letter) => text.toLowerCase().split(String.fromCharCode(97 + letter)).length - 1
  )

const running = platform(t, { env: { OUTGOING_ALLOW: '127.0.0.1' } })
const choice = { modelProvider: 'openai-compatible', modelId: 'letters' }

/** A project whose server embeds texts when `open` lets it. */
async function projectWith(
  name: string,
  t: Parameters<typeof service>[0],
  open: Promise<unknown>,
  refuses = /^$/,
  asked: string[] = []
) {
  const server = await service(t, async (reply, { method, body }) => {
    if (method === 'GET') return json(reply, 200, { data: [] })
    const input = JSON.parse(body).input as string[]
    if (input.some((text) => refuses.test(text))) return json(reply, 400, { error: { code: 'invalid' } })
    if (!input[0]?.startsWith('A text to try')) {
      asked.push(...input)
      await open
    }
    json(reply, 200, { data: input.map((text, index) => ({ index, embedding: lettersOf(text) })) })
  })
  const client = (await running).as('backend', { type: 'service', project: name })
  await client.put('/v1/models/providers/openai-compatible', { baseUrl: server.url, apiKey: null })
  return { client, ...papers(await running, name) }
}

t.test('another model: what is there is embedded anew, and found meanwhile', async (t) => {
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const project = await projectWith('changing', t, open)
  const { client, put, embedded, search, progress } = project
  await put({ id: 'train', scope: 'a', text: 'The railway carriage departs from platform nine at noon.' })
  await put({ id: 'zoo', scope: 'a', text: 'zzz zz zzzz' })
  t.ok(await embedded('train', 'zoo'))
  t.match((await search('When does the train leave?', ['a']))[0], {
    id: 'train',
    why: { vector: { rank: 1 } }
  })

  t.match(await client.put('/v1/models/embedding', choice), { status: 200 })
  t.match(await progress(), { total: 2, embedded: 0, model: 'openai-compatible/letters' })
  t.match((await search('When does the train leave?', ['a']))[0], {
    id: 'train',
    why: { vector: { rank: 1 } }
  })
  await put({ id: 'new', scope: 'a', text: 'A hound howled all night' })
  t.ok((await search('hound', ['a'])).some(({ id, why }) => id === 'new' && why.text?.rank === 1))

  resolve()
  await until(async () => (await progress()).embedded === 3)
  const { platform } = await running
  const models = async () => {
    const { rows } = await platform.knex.raw(
      `select distinct model from retrieval.vector where project = 'changing' union
        select model from retrieval.model where project = 'changing'`
    )
    return rows.map(({ model }: { model: string }) => model)
  }
  await until(async () => (await models()).length === 1)
  t.same(await models(), ['openai-compatible/letters'])
  t.match((await search('zzzzzz', ['a']))[0], { id: 'zoo', why: { vector: { rank: 1, score: 1 } } })

  await client.delete('/v1/models/embedding')
  await until(async () => (await models()).join() === 'offline/universal-sentence-encoder-lite')
  t.match((await search('When does the train leave?', ['a']))[0], {
    id: 'train',
    why: { vector: { rank: 1 } }
  })
})

t.test(
  'entries that are put while others get their vectors have a job that asks for none twice',
  async (t) => {
    const { promise: open, resolve } = Promise.withResolvers<void>()
    const asked: string[] = []
    const { client, put, progress } = await projectWith('busy', t, open, /^$/, asked)
    t.match(await client.put('/v1/models/embedding', choice), { status: 200 })
    const some = (name: string) =>
      Array.from({ length: 20 }, (_, at) => ({ id: `${name}${at}`, scope: 'a', text: `letter ${name}${at}` }))
    await (await running).settled()
    await put(...some('a'))
    await until(async () => asked.length === 20)
    await put(...some('b'))
    const { knex } = (await running).platform
    const jobs = knex('pgboss.job').where({ name: 'retrieval.embed' }).whereRaw(`data->>'project' = 'busy'`)
    // The one of the second ones was there, and left them to the first one.
    await until(async () => {
      const found = await jobs.clone().whereIn('state', ['created', 'retry', 'active']).select('state')
      return found.map(({ state }) => state).join() === 'active'
    })
    resolve()
    await until(async () => (await progress()).embedded === 40)
    t.same([...asked].sort(), [...some('a'), ...some('b')].map(({ text }) => text).sort())
  }
)

t.test('what a model refuses is found by its text, and holds nothing else back', async (t) => {
  const project = await projectWith('refusing', t, Promise.resolve(), /poison/)
  const { client, put, embedded, search, progress } = project
  t.match(await client.put('/v1/models/embedding', choice), { status: 200 })
  const texts = ['good one', 'poison', 'good two']
  await put(...texts.map((text, at) => ({ id: `e${at}`, scope: 'a', text })))
  t.ok(await embedded('e0', 'e2'))
  await until(async () => (await progress()).failed === 1)
  t.match(await progress(), { total: 3, embedded: 2, failed: 1 })
  // The question is refused as well.
  t.match(await search('poison', ['a']), [{ id: 'e1', why: { vector: undefined, text: { rank: 1 } } }])
})

t.test('a model that cannot be asked leaves entries waiting, until it can be', async (t) => {
  const { platform, settled } = await running
  for (const [status, body] of [
    [401, { error: { message: 'wrong key' } }],
    [403, {}],
    [400, { error: { message: 'API key not valid' } }],
    [404, {}],
    [429, { error: { code: 'insufficient_quota' } }],
    [500, {}]
  ] as const) {
    const name = `away-${status}`
    let isAway = false
    const server = await service(t, async (reply, { method, body: asked }) => {
      if (method === 'GET') return json(reply, 200, { data: [] })
      reply.setHeader('retry-after', '0')
      if (isAway) return json(reply, status, body)
      const input = JSON.parse(asked).input as string[]
      json(reply, 200, { data: input.map((text, index) => ({ index, embedding: lettersOf(text) })) })
    })
    const client = (await running).as('backend', { type: 'service', project: name })
    const provider = { baseUrl: server.url, apiKey: null }
    await client.put('/v1/models/providers/openai-compatible', provider)
    t.match(await client.put('/v1/models/embedding', choice), { status: 200 })
    const { put, search, progress } = papers(await running, name)
    // A change that is heard of late would end the pause.
    await settled()
    isAway = true
    const pause = () => platform.knex('retrieval.pause').where({ project: name }).first()
    await put(...Array.from({ length: 20 }, (_, at) => ({ id: `e${at}`, scope: 'a', text: `letter ${at}` })))
    t.match(await until(pause), { tries: 1 }, 'left alone for a while')
    t.match(await progress(), { total: 20, embedded: 0, failed: 0 }, `${status}`)
    t.equal((await search('letter 7', ['a']))[0]?.id, 'e7', 'found by its text meanwhile')
    isAway = false
    // Another key, say: it is tried at once.
    await client.put('/v1/models/providers/openai-compatible', { ...provider, apiKey: 'other' })
    await until(async () => (await progress()).embedded === 20)
    t.equal(await pause(), undefined)
  }
})

t.test('what a model refused is tried again by another one', async (t) => {
  const project = await projectWith('again', t, Promise.resolve(), /poison/)
  const { client, put, search, progress } = project
  t.match(await client.put('/v1/models/embedding', choice), { status: 200 })
  await put({ id: 'p', scope: 'a', text: 'poison' })
  await until(async () => (await progress()).failed === 1)
  await client.delete('/v1/models/embedding')
  await until(async () => (await progress()).embedded === 1)
  t.match(await progress(), { total: 1, failed: 0 })
  t.match((await search('a toxic substance', ['a']))[0], { id: 'p', why: { vector: { rank: 1 } } })
})
