import type { Knex } from 'knex'
import t from 'tap'
import type { Instance } from '../../test/streams.ts'
import { chunks, insert, parse, range, readAll, testbed } from '../../test/streams.ts'
import type { Fragment } from '../database/hot.ts'
import type { Chunk, Writer } from './stream.ts'

const lost = { code: 'stream_lost' }
/** The server's process that waits for the table. */
async function blocked(knex: Knex): Promise<number | undefined> {
  const sql = `select pid from pg_locks where not granted and relation = 'kernel.stream_chunk'::regclass`
  return (await knex.raw(sql)).rows[0]?.pid
}
const event = { type: 'status', fields: {} }
/** Of a commit that goes on for as long as the test does. */
const chunkOf = (writer: Writer) =>
  new Promise<Chunk>((resolve) => void writer.commit([event], (chunk) => new Promise(() => resolve(chunk))))
const run = (on: Instance, { text, values }: Fragment) => on.hot.query(`test.${text.length}`, text, values)

t.test('events are numbered without a gap and read in order', async (t) => {
  const { knex, instance } = await testbed(t)
  const { streams } = await instance()
  const writer = streams.open('p', 'r1', 'runId')
  t.equal(writer.append('run_started', { sessionId: 's' }), 0)
  t.equal(await streams.state('p', 'r1').then((state) => state?.last), -1)
  for (const step of range(1, 600)) t.equal(writer.append('agent_step', { step }), step)
  await writer.end('final', { content: 'é\n\u0000\ud800' })
  const rows = await chunks(knex, 'r1')
  t.ok(rows.every((row) => row.last - row.seq < 256))
  t.strictSame(
    rows.map((row) => row.ended),
    rows.map((row) => row === rows.at(-1))
  )
  const events = await readAll(await instance(), 'r1')
  t.strictSame(
    events.map((event) => event.seq),
    range(0, 601)
  )
  t.match(events[0], { type: 'run_started', runId: 'r1', seq: 0, sessionId: 's' })
  t.equal(events.at(-1)?.content, 'é\n\u0000\ud800')
  t.strictSame(await streams.state('p', 'r1'), { last: 601, ended: true })
  t.equal(await streams.state('p', 'unknown'), undefined)
  t.throws(() => writer.append('late', {}), /ended/)
  t.equal(streams.writer('p', 'r1'), undefined)
})

t.test('text that waits for one commit becomes one event, a phase each', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const writer = log.streams.open('p', 'r', 'runId')
  for (const word of ['a', 'b', 'c']) writer.token(word, 'commentary')
  for (const word of ['d', 'e']) writer.token(word, 'final_answer')
  await writer.flushed()
  writer.token('f', 'final_answer')
  await writer.end('final', {})
  const events = await readAll(log, 'r')
  t.match(events, [
    { type: 'token', runId: 'r', seq: 0, phase: 'commentary', content: 'abc' },
    { type: 'token', runId: 'r', seq: 1, phase: 'final_answer', content: 'de' },
    { type: 'token', runId: 'r', seq: 2, phase: 'final_answer', content: 'f' },
    { type: 'final', runId: 'r', seq: 3 }
  ])
  const times = events.map(({ at }) => at as string)
  t.same(
    times.map((at) => new Date(at).toISOString()),
    times
  )
  t.same(times.toSorted(), times, 'each with the time that it came at')
  t.same(await readAll(await instance(), 'r'), events, 'which is kept with it')
  for (const field of ['seq', 'at', 'runId'])
    t.throws(() => log.streams.open('p', 'x', 'runId').append('a', { [field]: 1 }), TypeError)
})

t.test('an event is durable before it is visible', async (t) => {
  const { knex, instance } = await testbed(t)
  const log = await instance()
  const writer = log.streams.open('p', 'r', 'runId')
  const bodies = log.streams.follow('p', 'r', -1)[Symbol.asyncIterator]()
  let seen = false
  const first = bodies.next().then(async ({ value }) => {
    seen = true
    return { value, rows: await chunks(knex, 'r') }
  })
  const lock = await knex.transaction()
  await lock.raw('lock table kernel.stream_chunk in exclusive mode')
  writer.append('run_started', {})
  let pid: number | undefined
  while (!pid) pid = await blocked(knex)
  t.notOk(seen, 'not while the insert waits')
  await knex.raw('select pg_terminate_backend(?)', [pid])
  let next: number | undefined
  while (!next || next === pid) next = await blocked(knex)
  t.notOk(seen, 'not after the insert was killed')
  await lock.commit()
  const { value, rows } = await first
  t.match(value && parse(value), [{ type: 'run_started', runId: 'r', seq: 0 }])
  t.equal(rows.length, 1)
  await bodies.return?.()
})

t.test('while a record is being committed its event does not slip out alone', async (t) => {
  const { knex, instance } = await testbed(t)
  const on = await instance()
  const { streams } = on
  const writer = streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  const lock = await knex.transaction()
  await lock.raw('lock table kernel.stream_chunk in exclusive mode')
  writer.append('agent_step', {})
  const landing = writer.flushed()
  while (!(await blocked(knex)));
  writer.token('x', 'final_answer')
  writer.append('toolEnd', {})
  const taken = Promise.withResolvers<Chunk>()
  const go = Promise.withResolvers<void>()
  const committed = writer.commit([], async (chunk) => {
    taken.resolve(chunk)
    await go.promise
    return insert(on, chunk)
  })
  writer.append('toolStart', {})
  await lock.commit()
  await landing
  const { row } = await taken.promise
  t.strictSame([row.seq, row.last], [2, 4], 'what was queued when a write was in flight')
  writer.append('toolProgress', {})
  const later = writer.flushed()
  const other = streams.open('p', 'other', 'runId')
  other.append('a', {})
  await other.flushed()
  t.equal((await streams.state('p', 'r'))?.last, 1, 'a whole flush later nothing of it was written')
  go.resolve()
  t.equal(await committed, 'r')
  await later
  const last = writer.commit([event], (chunk) => insert(on, chunk), { ended: true })
  await t.rejects(
    writer.commit([event], (chunk) => insert(on, chunk)),
    /ended/
  )
  await last
  t.strictSame(await streams.state('p', 'r'), { last: 6, ended: true })
  t.strictSame(
    (await readAll(on, 'r')).map((event) => event.type),
    ['run_started', 'agent_step', 'token', 'toolEnd', 'toolStart', 'toolProgress', 'status']
  )
})

t.test('a refused chunk ends its writer', async (t) => {
  const { knex, instance } = await testbed(t)
  const [one, other] = [await instance(), await instance()]
  const writer = one.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  const heir = await other.streams.claim('p', 'r', 'runId', { type: 'status', fields: { attempt: 2 } })
  t.ok(heir)
  writer.append('agent_step', { step: 1 })
  await t.rejects(writer.flushed(), lost)
  t.throws(() => writer.append('agent_step', { step: 2 }), lost, 'the next one would not have collided')
  t.throws(() => writer.token('x', 'commentary'), lost)
  await t.rejects(
    writer.commit([event], (chunk) => insert(one, chunk)),
    lost
  )
  await heir?.end('final', {})
  t.strictSame(
    (await chunks(knex, 'r')).map((row) => parse(row.body)[0]?.type),
    ['run_started', 'status', 'final']
  )
})

t.test('a commit whose chunk is refused ends its writer, in a statement and in a transaction', async (t) => {
  const { knex, instance } = await testbed(t)
  const [one, other] = [await instance(), await instance()]
  const writes = {
    statement: (chunk: Chunk) => insert(one, chunk),
    transaction: (chunk: Chunk) =>
      knex.transaction(async (trx) => {
        await trx.raw('create table made ()')
        await chunk.insert(trx)
        return chunk.row.stream
      })
  }
  for (const [stream, write] of Object.entries(writes)) {
    const writer = one.streams.open('p', stream, 'runId')
    writer.append('run_started', {})
    await writer.flushed()
    await other.streams.claim('p', stream, 'runId', event)
    await t.rejects(writer.commit([event], write), lost)
    t.throws(() => writer.append('x', {}), lost)
  }
  t.notOk(await knex.schema.hasTable('made'))
})

t.test('events are committed with what a transaction makes true', async (t) => {
  const { knex, instance } = await testbed(t)
  const on = await instance()
  await knex.raw('create table made (one int)')
  const writer = on.streams.open('p', 'r', 'runId')
  const write = (chunk: Chunk) =>
    knex.transaction(async (trx) => {
      await trx('made').insert({ one: chunk.row.last })
      await chunk.insert(trx)
      return 'done'
    })
  t.equal(await writer.commit([event], write), 'done')
  await t.rejects(
    writer.commit([event], (chunk) =>
      knex.transaction(async (trx) => {
        await trx('made').insert({ one: chunk.row.last })
        await chunk.insert(trx)
        await trx.raw('nonsense')
      })
    ),
    { code: '42601' }
  )
  t.equal(await writer.commit([event], write), 'done')
  t.strictSame(await knex('made').orderBy('one').pluck('one'), [0, 1], 'both or neither')
  t.equal((await chunks(knex, 'r')).length, 2)
})

t.test('a claim has one winner', async (t) => {
  const { instance } = await testbed(t)
  const scanners = await Promise.all(range(1, 4).map(() => instance()))
  const [dead] = scanners
  const writer = dead?.streams.open('p', 'r', 'runId')
  writer?.append('run_started', {})
  await writer?.flushed()
  const first = { type: 'status', fields: { status: 'resumed' } }
  const claim = (on: Instance, after?: number) => on.streams.claim('p', 'r', 'runId', first, after)
  const claimed = await Promise.all(scanners.map((on) => claim(on, 0)))
  const winners = claimed.filter((heir) => heir !== undefined)
  t.equal(winners.length, 1)
  for (const on of scanners) t.equal(await claim(on, 0), undefined, 'nor does one that comes later')
  await winners[0]?.end('final', {})
  const again = scanners[1] as Instance
  t.equal(await claim(again), undefined, 'it has ended')
  t.equal(await again.streams.claim('p', 'unknown', 'runId', first), undefined)
  t.strictSame(
    (await readAll(again, 'r')).map((event) => event.seq),
    [0, 1, 2]
  )
})

t.test('a stream is claimed by the statement that records the take-over', async (t) => {
  const { instance } = await testbed(t)
  const [one, other] = [await instance(), await instance()]
  const writer = one.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.release()
  const heirs = [one, other].map((on) => on.streams.open('p', 'r', 'runId', 0))
  const claims = await Promise.allSettled(
    heirs.map((heir) => heir.commit([event], (chunk) => insert(one, chunk)))
  )
  t.strictSame(claims.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test(
  'chunks of many streams are one fragment, on condition of another part of the statement',
  async (t) => {
    const { instance } = await testbed(t)
    const on = await instance()
    const writers = range(1, 3).map((n) => on.streams.open('p', `r${n}`, 'runId'))
    const all = await Promise.all(writers.map(chunkOf))
    const { text, values } = on.streams.fragment(all, 's')
    const guarded = `with s as (select unnest($2::text[]) as id), e as (${text}) select stream from e order by 1`
    t.strictSame(await run(on, { text: guarded, values: [...values, ['r1', 'r3']] }), [
      { stream: 'r1' },
      { stream: 'r3' }
    ])
    t.strictSame(await run(on, on.streams.fragment(all)), [{ project: 'p', stream: 'r2' }])
    t.throws(() => on.streams.fragment(all, 's; drop'), TypeError)
  }
)

t.test('of two writers of one stream the second is refused, and an instance has one at a time', async (t) => {
  const { instance } = await testbed(t)
  const [one, other] = [await instance(), await instance()]
  const first = one.streams.open('p', 'r', 'runId')
  first.append('run_started', {})
  await first.flushed()
  const second = other.streams.open('p', 'r', 'runId')
  second.append('run_started', {})
  await t.rejects(second.flushed(), lost)
  const again = one.streams.open('p', 'r', 'runId', 0)
  t.throws(() => first.append('x', {}), lost)
  again.append('x', {})
  await again.flushed()
  t.equal(one.streams.writer('p', 'r')?.durable, 1)
})

t.test('a stream is removed with the transaction that removes its owner', async (t) => {
  const { knex, instance } = await testbed(t)
  const log = await instance()
  const writer = log.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  const trx = await knex.transaction()
  await log.streams.remove(trx, 'p', 'r')
  await trx.rollback()
  const other = log.streams.open('p', 'other', 'runId')
  await other.end('final', {})
  t.equal(writer.append('agent_step', {}), 1, 'a rollback leaves all as it was')
  await writer.flushed()
  const bodies = log.streams.follow('p', 'r', 0)[Symbol.asyncIterator]()
  t.strictSame(parse((await bodies.next()).value ?? '')[0]?.seq, 1)
  const reading = bodies.next()
  await knex.transaction((trx) => log.streams.remove(trx, 'p', 'r'))
  t.ok((await reading).done, 'its readers are let go')
  t.equal(await log.streams.state('p', 'r'), undefined)
  t.throws(() => writer.append('x', {}), lost)
})

t.test('a chunk may be larger than what may wait', async (t) => {
  const { instance } = await testbed(t)
  const on = await instance()
  const writer = on.streams.open('p', 'large', 'runId')
  const output = 'x'.repeat(1_000_000)
  const events = range(1, 10).map((call) => ({ type: 'toolEnd', fields: { call, output } }))
  await writer.commit(events, (chunk) => insert(on, chunk))
  await writer.end('final', {})
  t.equal((await readAll(on, 'large')).length, 11)
})
