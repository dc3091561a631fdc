import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { proxyOf } from '../../test/proxy.ts'
import { chunks, insert, parse, range, readAll, testbed } from '../../test/streams.ts'

const lost = { code: 'stream_lost' }

t.test('a chunk whose commit was not answered is recognised, not written twice', async (t) => {
  const { connection, knex, instance } = await testbed(t)
  const { way, connection: behind } = await proxyOf(t, connection)
  const log = await instance({}, behind)
  const writer = log.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  way.deafen()
  writer.append('agent_step', { step: 1 })
  const durable = writer.flushed()
  while ((await chunks(knex, 'r')).length < 2);
  writer.append('agent_step', { step: 2 })
  t.equal(writer.durable, 0)
  way.cut()
  way.mend()
  await durable
  await writer.end('final', {})
  const rows = await chunks(knex, 'r')
  t.strictSame(
    rows.slice(0, 2).map((row) => [row.seq, row.last]),
    [
      [0, 0],
      [1, 1]
    ]
  )
  // One chunk or two: the flusher may have gone on before the end was said.
  const seqs = rows.flatMap(({ seq, last }) => Array.from({ length: last - seq + 1 }, (_, n) => seq + n))
  t.strictSame(seqs, [0, 1, 2, 3])
})

t.test('a chunk that was not answered, at whose place another writer wrote, is refused', async (t) => {
  const { connection, knex, instance } = await testbed(t)
  const { way, connection: behind } = await proxyOf(t, connection)
  const log = await instance({}, behind)
  const writer = log.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  way.cut()
  writer.append('status', { attempt: 2 })
  const durable = t.rejects(writer.flushed(), lost)
  const other = await instance()
  const heir = await other.streams.claim('p', 'r', 'runId', { type: 'status', fields: { attempt: 2 } })
  way.mend()
  await durable
  t.equal((await chunks(knex, 'r')).length, 2)
  await heir?.end('final', {})
})

t.test('events wait out an outage, in order, and are seen once', async (t) => {
  const { connection, instance } = await testbed(t)
  const { way, connection: behind } = await proxyOf(t, connection)
  const log = await instance({}, behind)
  const writers = range(1, 5).map((n) => log.streams.open('p', `r${n}`, 'runId'))
  const readers = writers.map((writer) => readAll(log, writer.stream))
  for (const writer of writers) writer.append('run_started', {})
  await Promise.all(writers.map((writer) => writer.flushed()))
  way.cut()
  for (const step of range(1, 700)) for (const writer of writers) writer.append('agent_step', { step })
  const ends = writers.map((writer) => writer.end('final', {}))
  const failing = log.hot.query('test.one', 'select 1', [])
  await t.rejects(failing)
  way.mend()
  await Promise.all(ends)
  for (const reader of readers)
    t.strictSame(
      (await reader).map((event) => event.seq),
      range(0, 701)
    )
})

t.test(
  'a stream that cannot be written for too long is lost, and so is one that queues too much',
  async (t) => {
    const { connection, instance } = await testbed(t)
    const { way, connection: behind } = await proxyOf(t, connection)
    let skipped = 0
    const now = performance.now.bind(performance)
    performance.now = () => now() + skipped
    t.teardown(() => {
      performance.now = now
    })
    const log = await instance({}, behind)
    way.cut()
    const writer = log.streams.open('p', 'r', 'runId')
    writer.append('run_started', {})
    const durable = t.rejects(writer.flushed(), lost)
    const greedy = log.streams.open('p', 'greedy', 'runId')
    t.throws(() => {
      for (;;) greedy.token('x'.repeat(100_000), 'final_answer')
    }, lost)
    await t.rejects(log.hot.query('test.one', 'select 1', []))
    t.ok(log.streams.writer('p', 'r'), 'it is tried again')
    const advance = setInterval(() => {
      skipped += 15_000
    }, 5)
    await durable
    clearInterval(advance)
    way.mend()
    const next = log.streams.open('p', 'r', 'runId')
    await next.end('final', {})
    t.equal((await readAll(log, 'r')).length, 1)
  }
)

t.test('a chunk that can never be written hurts its own stream only', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const bad = log.streams.open('p', 'nul\u0000', 'runId')
  const good = range(1, 3).map((n) => log.streams.open('p', `r${n}`, 'runId'))
  bad.append('run_started', {})
  for (const writer of good) writer.append('run_started', {})
  const [first, ...others] = [bad, ...good].map((writer) => writer.flushed())
  await t.rejects(first as Promise<void>, lost)
  await Promise.all(others)
  t.strictSame(
    good.map((writer) => writer.durable),
    [0, 0, 0]
  )
})

t.test('an event that is alone greater than a notification or a chunk is written and followed', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  await other.listen()
  const writer = log.streams.open('p', 'r', 'runId')
  writer.append('run_started', {})
  const there = readAll(other, 'r')
  for (const size of [9000, 400_000]) writer.append('toolEnd', { output: 'ü'.repeat(size) })
  await writer.end('final', {})
  t.strictSame(
    (await there).map(({ seq, type }) => `${seq} ${type}`),
    ['0 run_started', '1 toolEnd', '2 toolEnd', '3 final']
  )
})

t.test(
  'a stream that nobody follows is flushed soon all the same, and what is queued at the end',
  async (t) => {
    const { knex, instance } = await testbed(t)
    const log = await instance({ unwatchedMs: 5 })
    const writer = log.streams.open('p', 'r', 'runId')
    writer.append('run_started', {})
    let rows = await chunks(knex, 'r')
    while (!rows.length) rows = await chunks(knex, 'r')
    t.equal(rows[0]?.last, 0)
    const patient = await instance({ unwatchedMs: 600_000 })
    const other = patient.streams.open('p', 'o', 'runId')
    for (const step of range(0, 255)) other.append('agent_step', { step })
    while (!(await chunks(knex, 'o')).length);
    t.equal((await chunks(knex, 'o'))[0]?.last, 255, 'a full chunk does not wait')
    other.append('agent_step', { step: 256 })
    await patient.close()
    const body = (await chunks(knex, 'o')).at(-1)?.body ?? '{}'
    t.equal(parse(body)[0]?.seq, 256)
  }
)

t.test('a stream that has ended is not held until those that nobody follows are flushed', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const { instance } = await testbed(t)
  const log = await instance({ unwatchedMs: 600_000 })
  async function writeOne(stream: string) {
    const writer = log.streams.open('p', stream, 'runId')
    writer.append('run_started', {})
    await writer.commit([{ type: 'final', fields: {} }], (chunk) => insert(log, chunk), { ended: true })
    return new WeakRef(writer)
  }
  const ended = await Promise.all(range(1, 20).map((n) => writeOne(`r${n}`)))
  await turn()
  collect()
  t.ok(ended.filter((writer) => writer.deref()).length < 2)
})
