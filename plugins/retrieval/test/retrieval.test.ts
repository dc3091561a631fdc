// budget: 8 s, because a real model gives the vectors
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { until } from '../../../test/facts.ts'
import { fuse } from '../services/fusion.ts'
import { papers, platform } from './testbed.ts'

const threads: Worker[] = []
const started = (worker: Worker) => void threads.push(worker)
process.on('worker', started)
t.teardown(() => process.off('worker', started))

const running = platform(t)
const idsOf = (hits: readonly { id: string }[]) => hits.map(({ id }) => id)
const texts = {
  train: 'The railway carriage departs from platform nine at noon.',
  dog: 'A hound howled under the window all night.',
  bread: 'Knead the dough, let it rise, and bake the loaf until its crust is brown.',
  tax: 'The deadline for declaring income to the revenue office is the end of May.'
}
const entries = (scope: string) =>
  Object.entries(texts).map(([id, text]) => ({ id: `${scope}-${id}`, scope, text }))

t.test('nothing is started before the first entry, and no matrix before the first search', async (t) => {
  const { put, embedded, search } = papers(await running, 'start')
  t.same(threads, [], 'no thread of models or of vectors')
  await put(...entries('a'))
  t.ok(await embedded('a-train'))
  const { length } = threads
  t.equal(length, 1, 'the model')
  await search('When does the train leave?', ['a'])
  t.equal(threads.length, length + 1, 'the matrices')
})

t.test('a search that is aborted does not wait for what is read', async (t) => {
  const { put, embedded, search } = papers(await running, 'aborted')
  await put(...entries('a'))
  await embedded('a-train')
  const aborting = new AbortController()
  const searching = search('When does the train leave?', ['a'], { signal: aborting.signal })
  setImmediate(() => aborting.abort(new Error('enough')))
  await t.rejects(searching, { message: 'enough' })
  t.equal((await search('When does the train leave?', ['a']))[0]?.id, 'a-train')
})

t.test('found by meaning and by words, and why', async (t) => {
  const { put, embedded, search, progress } = papers(await running, 'first')
  await put(...entries('a'))
  t.ok(await embedded('a-train', 'a-dog', 'a-bread', 'a-tax'))
  const [byMeaning] = await search('When does the train leave?', ['a'])
  t.match(byMeaning, { id: 'a-train', scope: 'a', why: { vector: { rank: 1 } } })
  t.ok((byMeaning?.why.vector?.score ?? 0) > 0.3)
  const [byBoth] = await search('declaring my income', ['a'])
  t.match(byBoth, { id: 'a-tax', score: 1, why: { vector: { rank: 1 }, text: { rank: 1 } } })
  t.equal((await search('loaf', ['a'], { limit: 1 })).length, 1)
  t.same(await progress(), {
    total: 4,
    embedded: 4,
    failed: 0,
    model: 'offline/universal-sentence-encoder-lite'
  })
  for (const query of [
    '',
    '   ',
    '\0',
    '!!!',
    'x'.repeat(10_000),
    "'; drop table",
    'a & b | !c <-> (',
    '😀\ud800'
  ])
    t.ok(Array.isArray(await search(query, ['a'])), query)
  t.same(await search('train', []), [])
})

t.test('a text with all words of the query comes before the nearest vector with some of them', async (t) => {
  const vectors = [{ number: 9, score: 0.9 }]
  const texts = [
    { number: 1, score: 1 },
    { number: 9, score: 0.7 }
  ]
  t.same(
    fuse([vectors], texts, 10).map(({ number }) => number),
    [1, 9]
  )
  t.same(
    fuse([vectors], [{ number: 1, score: 0.5 }], 10).map(({ number }) => number),
    [9, 1],
    'some of the words mean less than the meaning'
  )
})

/** Entries without vectors, made by PostgreSQL. `text` is an SQL expression of `n`, which counts from 0. */
async function fill(booted: Awaited<typeof running>, project: string, count: number, text: string) {
  const { put, remove } = papers(booted, project)
  await put({ id: 'seed', scope: 'a', text: 'x' })
  await booted.platform.knex.raw(
    `insert into retrieval.entry (project, collection, entry, owner, scope, text, words, attributes, failed)
      select project, collection, 'n' || n, owner, scope, ${text}, to_tsvector('english', ${text}) || ts_delete(words, 'x'),
        jsonb_build_object('half', n % 2), true
      from retrieval.entry cross join generate_series(0, ?::int - 1) n where project = ? and entry = 'seed'`,
    [count, project]
  )
  await remove({ ids: ['seed'] })
}

t.test('an entry with all words is first, however many entries share some of them', async (t) => {
  const booted = await running
  await fill(booted, 'invoices', 3_000, `'Invoice number ' || 10000 + n || ' was paid by customer ' || n % 4`)
  const { put, search } = papers(booted, 'invoices')
  for (const [query, id] of [
    ['invoice number 10000', 'n0'],
    ['Invoice number 12007 was paid by whom?', 'n2007'],
    ['12999 invoice', 'n2999'],
    ['10042', 'n42']
  ] as const) {
    t.equal((await search(query, ['a']))[0]?.id, id, query)
    t.equal((await search(query, ['a', 'b', 'c']))[0]?.id, id, `${query} in all scopes`)
  }
  t.equal((await search('invoice number 12007', ['a'], { filter: { half: 1 } }))[0]?.id, 'n2007')
  t.notOk(idsOf(await search('invoice number 12007', ['a'], { filter: { half: 0 } })).includes('n2007'))
  await put({ id: 'most', scope: 'a', text: 'Invoice, invoice, invoice: the dunning invoice' })
  t.equal((await search('customer invoice dunning', ['a']))[0]?.id, 'most', 'the rare word counts for more')
  t.equal((await search('absentword invoice number 10007', ['a']))[0]?.id, 'n7', 'a word that nothing has')
  const long = `${'Please tell me what happened to the payment of our dear friends. '.repeat(60)} 10099`
  t.match(
    (await search(long, ['a'])).find(({ id }) => id === 'n99')?.why.text,
    { rank: 1 },
    'in a long question'
  )
})

t.test(
  'of entries whose words are all common, those with all of them are first, then those with the most',
  async (t) => {
    const booted = await running
    // Each word is in 3,000 entries, all four words are in one.
    const word = (name: string, left: number) =>
      `case when n % 4 = ${left} and n <> 3500 then '' else '${name} ' end`
    await fill(
      booted,
      'common',
      4_000,
      `${word('pump', 0)} || ${word('valve', 1)} || ${word('seal', 2)} || ${word('motor', 3)}`
    )
    const { search } = papers(booted, 'common')
    t.equal((await search('pump valve seal motor', ['a']))[0]?.id, 'n3500')
    const [, ...others] = await search('pump valve seal motor', ['a'], { limit: 50 })
    t.equal(others.length, 49)
    t.ok(
      others.every(({ why }) => why.text && why.text.score > 0.7),
      'and not those that have fewer'
    )
  }
)

t.test('never beyond the scopes, the project and the filter', async (t) => {
  const one = papers(await running, 'one')
  const two = papers(await running, 'two')
  await one.put(...entries('a'), ...entries('b'))
  await two.put(...entries('a'))
  await one.embedded('a-train', 'b-train')
  for (const query of ['When does the train leave?', 'railway carriage', 'C++']) {
    t.ok((await one.search(query, ['b'])).every(({ scope }) => scope === 'b'))
    t.same(await one.search(query, ['c']), [])
    t.same(await papers(await running, 'three').search(query, ['a', 'b']), [])
  }
  t.equal((await one.search('train', ['a', 'b'])).length, 8)

  await one.put({
    id: 'old',
    scope: 'f',
    text: 'The old timetable of trains',
    attributes: { year: 1999, kind: 'note' }
  })
  await one.put({
    id: 'new',
    scope: 'f',
    text: 'The new timetable of trains',
    attributes: { year: 2026, kind: 'fact' }
  })
  await one.embedded('old', 'new')
  const found = async (filter: Record<string, string | number | readonly (string | number)[]>) =>
    idsOf(await one.search('timetable of trains', ['f'], { filter })).sort()
  t.same(await found({ year: 1999 }), ['old'])
  t.same(await found({ year: [1999, 2026] }), ['new', 'old'])
  t.same(await found({ year: 2026, kind: 'note' }), [])
  t.same(await found({ nope: 'x' }), [])
})

t.test('what is not embedded yet, or has no words, is found by its text', async (t) => {
  const booted = await running
  const { put, search } = papers(booted, 'texts')
  await put({ id: 'cpp', scope: 'a', text: 'Written in C++ and to be or not to be' })
  t.same(idsOf(await search('C++', ['a'])), ['cpp'])
  t.same(idsOf(await search('to be', ['a'])), ['cpp'])
  t.same(idsOf(await search('written', ['a'])), ['cpp'])
  await put({ id: 'gas', scope: 'b', text: 'Limits for CO₂ in rooms' })
  for (const query of ['CO2', 'CO₂'])
    t.match(await search(query, ['b']), [{ id: 'gas', why: { text: { rank: 1 } } }], query)
})

t.test('another text, another scope, and removal are seen by the next search', async (t) => {
  const { put, embedded, search, remove } = papers(await running, 'changes')
  await put(...entries('a'))
  await embedded('a-train')
  t.equal((await search('When does the train leave?', ['a']))[0]?.id, 'a-train')
  await put({ id: 'a-train', scope: 'a', text: 'Whales sing in the deep sea.' })
  await embedded('a-train')
  t.match((await search('music of sea mammals', ['a']))[0], { id: 'a-train', why: { vector: { rank: 1 } } })
  await put({ id: 'a-train', scope: 'b', text: 'Whales sing in the deep sea.' })
  await embedded('a-train')
  t.notOk(idsOf(await search('whales', ['a'])).includes('a-train'))
  t.equal((await search('music of sea mammals', ['b']))[0]?.id, 'a-train')
  await remove({ ids: ['a-dog', 'unknown'] })
  t.notOk(idsOf(await search('a dog in the night', ['a'])).includes('a-dog'))
  await remove({ scopes: ['a'] })
  t.same(await search('bread', ['a']), [])
  t.equal((await search('whales', ['b'])).length, 1)
})

t.test('many are embedded by a job, with progress, and found meanwhile', async (t) => {
  const { put, search, progress } = papers(await running, 'many')
  const many = Array.from({ length: 100 }, (_, at) => ({
    id: `n${at}`,
    scope: 'a',
    text: `Note number${at} of a list`
  }))
  await put(...many, ...entries('a'))
  t.match((await search('number42', ['a']))[0], { id: 'n42', why: { text: { rank: 1 } } })
  await until(async () => (await progress()).embedded === 104)
  const { rows } = await (await running).platform.knex.raw(
    `select count(*)::int from retrieval.vector where project = 'many' group by written`
  )
  t.ok(
    rows.every(({ count }: { count: number }) => count <= 8),
    'what one call of the model gave is kept before the next one'
  )
  t.equal((await search('When does the train leave?', ['a']))[0]?.id, 'a-train')
  t.match(await progress(['b']), { total: 0, embedded: 0 })
})

t.test('a transaction that fails leaves nothing', async (t) => {
  const booted = await running
  const { search } = papers(booted, 'failed')
  const { put } = papers(booted, 'failed')
  await t.rejects(
    put({ id: 'x', scope: 'a', text: 'Once' }, { id: 'y', scope: 'a', text: 'x'.repeat(40_000) }),
    {
      code: 'text_too_long'
    }
  )
  t.same(await search('once', ['a']), [])
})

t.test('threads that are killed are replaced, and the search is answered', async (t) => {
  const { put, embedded, search } = papers(await running, 'killed')
  await put(...entries('a'))
  await embedded('a-train', 'a-dog')
  t.equal((await search('When does the train leave?', ['a']))[0]?.id, 'a-train')
  for (let round = 0; round < 3; round++) {
    const searching = search('When does the train leave?', ['a'])
    await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
    t.match((await searching)[0], { id: 'a-train', why: { vector: { rank: 1 } } })
  }
})

t.test('another instance sees it with its next search, and so does one that starts again', async (t) => {
  const first = await running
  const second = await platform(t, { beside: first })
  const [here, there] = [papers(first, 'instances'), papers(second, 'instances')]
  await here.put(...entries('a'))
  await here.embedded('a-train')
  t.equal((await there.search('When does the train leave?', ['a']))[0]?.id, 'a-train')
  for (let round = 0; round < 5; round++) {
    const id = `round-${round}`
    await here.put({ id, scope: 'a', text: `Volcano number${round} erupts over the island` })
    await here.embedded(id)
    const hits = await there.search('an eruption of lava', ['a'])
    t.ok(
      hits.slice(0, round + 1).some((hit) => hit.id === id && hit.why.vector),
      id
    )
  }
  await there.remove({ ids: ['round-3'] })
  t.notOk(idsOf(await here.search('an eruption of lava', ['a'])).includes('round-3'))
})
