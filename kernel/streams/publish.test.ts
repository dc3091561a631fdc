import { once } from 'node:events'
import t from 'tap'
import { connect, eventOf } from '../../test/frames.ts'
import { chunks, range, readAll, serving, testbed } from '../../test/streams.ts'
import type { Publication } from './stream.ts'

const lost = { code: 'stream_lost' }
const saying = (stream: string, n: number, ended = false): Publication => ({
  project: 'p',
  stream,
  idField: 'taskRunId',
  events: [{ type: 'status', fields: { n } }],
  ended
})

t.test(
  'transactions of several instances add to one stream, without a gap and in the order of their commits',
  async (t) => {
    const { knex, instance } = await testbed(t)
    const [here, there] = [await instance(), await instance()]
    const publish = (at: typeof here, n: number) =>
      knex.transaction((trx) => at.streams.publish(trx, [saying('s', n)]))
    await Promise.all(Array.from({ length: 20 }, (_, n) => publish(n % 2 ? here : there, n)))
    await knex.transaction((trx) => here.streams.publish(trx, [saying('s', 20, true)]))
    const events = await readAll(there, 's')
    t.same(
      events.map(({ seq }) => seq),
      Array.from({ length: 21 }, (_, seq) => seq)
    )
    t.match(events[0], { type: 'status', taskRunId: 's', seq: 0 })
    t.same(new Set(events.map((event) => (event as unknown as { n: number }).n)).size, 21)
    await t.rejects(publish(here, 21), /ended/)
    t.same(await here.streams.state('p', 's'), { last: 20, ended: true })
  }
)

t.test('what is rolled back was never there, and what follows takes its numbers', async (t) => {
  const { knex, instance } = await testbed(t)
  const { streams } = await instance()
  await knex.transaction((trx) => streams.publish(trx, [saying('s', 0), saying('other', 0)]))
  const failed = knex.transaction(async (trx) => {
    await streams.publish(trx, [saying('s', 1)])
    await trx.transaction((savepoint) => streams.publish(savepoint, [saying('s', 2, true)]))
    throw new Error('after all not')
  })
  await t.rejects(failed, /after all not/)
  t.same(await streams.state('p', 's'), { last: 0, ended: false })
  await knex.transaction(async (trx) => {
    await streams.publish(trx, [])
    await streams.publish(trx, [saying('s', 3)])
    await streams.publish(trx, [saying('s', 4, true)])
  })
  t.same(
    (await chunks(knex, 's')).map(({ seq, ended }) => [seq, ended]),
    [
      [0, false],
      [1, false],
      [2, true]
    ]
  )
  const twice = knex.transaction((trx) => streams.publish(trx, [saying('other', 1), saying('other', 2)]))
  await t.rejects(twice, TypeError)
})

t.test('readers elsewhere get it after the commit, also of what a savepoint wrote', async (t) => {
  const { knex, instance } = await testbed(t)
  const [here, there] = [await instance({ pollMs: 60_000 }), await instance({ pollMs: 60_000 })]
  await there.listen()
  await knex.transaction((trx) => here.streams.publish(trx, [saying('s', 0)]))
  const heard: number[] = []
  const reading = (async () => {
    for await (const body of there.streams.follow('p', 's', -1))
      for (const line of body.split('\n')) heard.push(JSON.parse(line).n)
  })()
  const gate = new EventTarget()
  const open = once(gate, 'open')
  const writing = knex.transaction(async (trx) => {
    await trx.transaction((savepoint) => here.streams.publish(savepoint, [saying('s', 1)]))
    await open
    await trx.transaction((savepoint) => here.streams.publish(savepoint, [saying('s', 2, true)]))
  })
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.same(heard, [0])
  gate.dispatchEvent(new Event('open'))
  await Promise.all([writing, reading])
  t.same(heard, [0, 1, 2])
})

t.test('a stream is published or has a writer, from its first event on', async (t) => {
  const { knex, instance } = await testbed(t)
  const { streams } = await instance()
  const publish = (stream: string) => knex.transaction((trx) => streams.publish(trx, [saying(stream, 1)]))
  const writer = streams.open('p', 'written', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  await t.rejects(publish('written'), lost)
  await publish('published')
  t.equal(await streams.claim('p', 'published', 'taskRunId', { type: 'status', fields: {} }), undefined)
  const late = streams.open('p', 'published', 'taskRunId')
  late.append('status', {})
  await t.rejects(late.flushed(), lost)
  t.same(await streams.state('p', 'published'), { last: 0, ended: false })
})

t.test('what was published is told to all readers elsewhere by one look into the record', async (t) => {
  const { knex, instance } = await testbed(t)
  const [here, there] = [await instance({ pollMs: 60_000 }), await instance({ pollMs: 60_000 })]
  await there.listen()
  await knex.transaction((trx) => here.streams.publish(trx, [saying('s', 0)]))
  const readers = Array.from({ length: 20 }, () => readAll(there, 's'))
  for (let n = 1; n < 30; n++)
    await knex.transaction((trx) => here.streams.publish(trx, [saying('s', n, n === 29)]))
  for (const events of await Promise.all(readers))
    t.same(
      events.map(({ seq }) => seq),
      Array.from({ length: 30 }, (_, seq) => seq)
    )
})

t.test('events that hold a text are rewritten, and keep their place', async (t) => {
  const { knex, instance } = await testbed(t)
  const { streams } = await instance()
  const events = ['one', 'two', 'one'].map((word) => ({ type: 'said', fields: { word, id: `id-${word}` } }))
  await knex.transaction((trx) => streams.publish(trx, [{ ...saying('s', 0), events }, saying('other', 1)]))
  await knex.transaction((trx) =>
    streams.redact(trx, { project: 'p', stream: 's' }, 'id-one', (event) => ({
      ...event,
      word: null,
      seq: 7
    }))
  )
  const [{ body } = { body: '' }] = await chunks(knex, 's')
  t.same(
    body
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ seq, type, word }) => [seq, type, word]),
    [
      [0, 'said', null],
      [1, 'said', 'two'],
      [2, 'said', null]
    ]
  )
})

t.test(
  'of a stream that keeps its latest events, what came before goes, and nobody gets a gap',
  async (t) => {
    const { knex, instance } = await testbed(t)
    const log = await instance()
    const { streams } = log
    const { url } = await serving(t, log)
    const publish = (count: number, keep?: number) =>
      knex.transaction((trx) =>
        streams.publish(trx, [
          {
            ...saying('s', 0),
            events: range(1, count).map((n) => ({ type: 'status', fields: { n } })),
            ...(keep !== undefined && { keep })
          }
        ])
      )
    t.equal(await streams.first('p', 's'), undefined)
    for (let n = 0; n < 60; n++) await publish(10)
    t.equal(await streams.first('p', 's'), 0, 'all of it stays where nothing is said')
    const [slow, gone] = [streams.follow('p', 's', 100), streams.follow('p', 's', 100)]
    t.match((await slow[Symbol.asyncIterator]().next()).value, /^{"type":"status","taskRunId":"s","seq":101,/)
    for (let n = 0; n < 60; n++) await publish(10, 25)
    const { last = -1 } = (await streams.state('p', 's')) ?? {}
    t.equal(last, 1199)
    const first = (await streams.first('p', 's')) ?? 0
    t.ok(first > 900 && first <= last + 1 - 25, `from ${first} on`)
    for await (const body of gone) t.fail(`${body.slice(0, 80)} is not what comes next`)

    const refused = await connect(`${url}/s?after=${first - 2}`)
    t.equal(refused.response.statusCode, 410)
    t.match(await refused.rest(), /"param":"after"/)
    t.equal((await connect(`${url}/s`)).response.statusCode, 410, 'nor is it begun in the middle')
    const resumed = await connect(`${url}/s?after=${first - 1}`)
    t.equal(eventOf(await resumed.frame()).seq, first)
    resumed.close()
    await publish(600, 25)
    t.same(
      (await chunks(knex, 's')).map(({ seq }) => seq),
      [1200],
      'what is kept lies in the last chunk'
    )
  }
)
