// budget: 8 s, because a real model is loaded three times
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Models } from '../../models/contract.ts'
import type { Encoder } from '../encoder.ts'

/** Threads that were started, the latest one last. */
const threads: Worker[] = []
const started = (worker: Worker) => void threads.push(worker)
process.on('worker', started)
t.teardown(() => process.off('worker', started))

const running = boot(t, 'packs', 'goals', 'outgoing', 'models', 'embeddings')
const serviceOf = async (pack: string, name: string) =>
  (await running).platform.server.current().packs.get(pack)?.deps[name]
const embedder = async () =>
  ((await serviceOf('models', 'embeddingModels')) as Pick<Models, 'embedding'>).embedding('default')
const product = (a?: Float32Array, b?: Float32Array) =>
  (a as Float32Array).reduce((sum, number, at) => sum + number * (b?.[at] ?? 0), 0)

t.test('without a choice vectors come from the model in this process, and mean something', async (t) => {
  const model = await embedder()
  t.match(model, { id: 'offline/universal-sentence-encoder-lite', isLocal: true })
  const texts = [
    'The train leaves at noon',
    'A dog barks at night',
    ...Array(20).fill('x'),
    '',
    '\u0000 日本'
  ]
  const vectors = await model.embed(texts, { as: 'document' })
  t.equal(vectors.length, texts.length)
  t.ok(vectors.every(({ length }) => length === 512))
  const [question] = await model.embed(['When does the railway carriage depart?'], { as: 'query' })
  t.ok(product(question, vectors[0]) > product(question, vectors[1]) + 0.1)
  t.equal(product(question, vectors[22]), 0, 'what has no text is like nothing')
  t.ok(Math.abs(product(vectors[23], vectors[23]) - 1) < 1e-5)
  const [long] = await model.embed(['word '.repeat(10_000)], { as: 'document' })
  t.equal(long?.length, 512, 'the beginning of a long text stands for it')
})

t.test('it is listed with its modality, and is no model for agents', async (t) => {
  const ada = (await running).as('ada')
  const { body } = await ada.get('/v1/models?limit=100')
  const [listed] = body.data.filter((it: { modelProvider: string }) => it.modelProvider === 'offline')
  t.match(listed, { modalities: ['embedding'], dimensions: 512, configured: true, default: true })
  t.match((await ada.get('/v1/models/embedding')).body.data, {
    modelProvider: 'offline',
    source: 'default',
    version: 0
  })
  t.match(await ada.post('/v1/agents', { name: 'A', modelProvider: 'offline' }), {
    status: 400,
    body: { error: { param: '/modelProvider', code: 'modality_missing' } }
  })
})

t.test('what is asked while packs change is answered, by the same thread', async (t) => {
  const { admin } = await running
  const before = threads.length
  const [vectors, off] = await Promise.all([
    (await embedder()).embed(Array(32).fill('A text'), { as: 'document' }),
    admin.put('/v1/packs/goals', { enabled: false })
  ])
  t.equal(off.status, 200)
  t.equal(vectors.length, 32)
  t.equal((await (await embedder()).embed(['Another'], { as: 'query' })).length, 1)
  t.equal(threads.length, before)
})

t.test('a thread that is killed is replaced, and what it was at is answered', async (t) => {
  const model = await embedder()
  const before = threads.length
  const asking = model.embed(Array(40).fill('A text of a library'), { as: 'document' })
  await threads.at(-1)?.terminate()
  t.equal((await asking).length, 40)
  t.equal(threads.length, before + 1)
})

t.test('where each one is killed it is a clear 503', async (t) => {
  const kill = (worker: Worker) => setImmediate(() => worker.terminate())
  process.on('worker', kill)
  t.teardown(() => process.off('worker', kill))
  const asking = (await embedder()).embed(['A text'], { as: 'document' })
  const outcome = asking.catch((error) => error)
  await threads.at(-1)?.terminate()
  t.match(await outcome, { kind: 'unavailable', code: 'embedding_unavailable' })
  process.off('worker', kill)
  t.equal((await (await embedder()).embed(['A text'], { as: 'document' })).length, 1)
})

t.test('questions take turns with documents, and an abort gives a place back', async (t) => {
  const model = await embedder()
  const done: string[] = []
  const documents = model.embed(Array(64).fill('Some text of a library'), { as: 'document' })
  const question = model.embed(['A question'], { as: 'query' }).then(() => done.push('question'))
  const signal = AbortSignal.abort(new Error('left'))
  await t.rejects(model.embed(['Another'], { as: 'query', signal }), { message: 'left' })
  await documents.then(() => done.push('documents'))
  await question
  t.same(done, ['question', 'documents'])
})

t.test('too many at once are refused', async (t) => {
  const encoder = (await serviceOf('embeddings', 'encoder')) as Encoder
  const asked = Array.from({ length: 300 }, () => encoder.encode('crowded', 'query', [''], undefined))
  const outcomes = await Promise.allSettled(asked)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  t.ok(refused.length > 0 && refused.length < 60)
  t.match(refused[0], { reason: { kind: 'rateLimited' } })
})
