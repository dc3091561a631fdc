import t from 'tap'
import type { Chunk, Row } from './stream.ts'
import { createWriter } from './writer.ts'

const lost = { code: 'stream_lost' }
const event = { type: 'toolEnd', fields: {} }
const away = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
const sqlError = (code: string) => Object.assign(new Error('refused'), { code })

/** A writer whose record is looked into by `find`: at the `n`th look, whether that chunk lies there. */
function writerOn(find: (looks: number) => boolean | undefined, patienceMs = 5_000) {
  const durable: Row[] = []
  let looks = 0
  const port = {
    enqueue: () => undefined,
    gone: () => undefined,
    durable: (row: Row) => void durable.push(row),
    find: async () => find(++looks),
    insert: async () => true,
    patienceMs
  }
  const writer = createWriter({ project: 'p', stream: 'r', idField: 'runId' }, port)
  return { writer, port, durable, looks: () => looks }
}

/** Fails with these one after another, then succeeds. */
function failing(...errors: Error[]) {
  const chunks: Chunk[] = []
  async function write(chunk: Chunk) {
    chunks.push(chunk)
    const error = errors[chunks.length - 1]
    if (error) throw error
    return chunks.length
  }
  return { write, chunks }
}

t.test('settled: what the statement gave, and its events are durable', async (t) => {
  const { writer, durable, looks } = writerOn(() => undefined)
  writer.append('run_started', {})
  t.equal(await writer.commit([event], async ({ row }) => `to ${row.last}`, { ended: true }), 'to 1')
  t.match(durable, [{ seq: 0, last: 1, ended: true }])
  t.equal(writer.durable, 1)
  t.equal(looks(), 0, 'the record is not asked')
  await t.rejects(
    writer.commit([event], async () => true),
    /ended/
  )
})

t.test('refused: another writer was faster, and this one writes no more', async (t) => {
  for (const nothing of [undefined, false] as const) {
    const { writer, durable } = writerOn(() => undefined)
    await t.rejects(
      writer.commit([event], async () => nothing),
      lost
    )
    t.throws(() => writer.append('x', {}), lost)
    t.strictSame(durable, [])
  }
})

t.test('failed: the error of the caller, at once, and the writer goes on without the events', async (t) => {
  const own = new Error('There is something else to do')
  for (const error of [own, sqlError('23505'), sqlError('42P01')]) {
    const { writer, durable } = writerOn(() => undefined)
    const { write, chunks } = failing(error)
    writer.append('run_started', {})
    await t.rejects(writer.commit([event], write, { ended: true }), error)
    t.equal(chunks.length, 1, 'nothing is tried again')
    t.equal(await writer.commit([{ type: 'status', fields: {} }], write), 2)
    t.strictSame(
      durable.map(({ body }) => body.split('\n').map((line) => JSON.parse(line).type)),
      [['run_started', 'status']]
    )
  }
})

t.test('failed, and others were appended behind: their numbers are not given twice', async (t) => {
  const { writer } = writerOn(() => undefined)
  const error = sqlError('23505')
  await t.rejects(
    writer.commit([event], async () => {
      writer.append('toolProgress', {})
      throw error
    }),
    error
  )
  t.throws(() => writer.append('x', {}), lost)
})

t.test('away: tried again with a chunk of its own each time, as after a deadlock', async (t) => {
  const { writer, durable } = writerOn(() => undefined)
  const { write, chunks } = failing(away(), sqlError('40P01'))
  const done = writer.commit([event], write)
  t.equal(await done, 3)
  t.strictSame(
    chunks.map(({ row }) => [row.seq, row.last]),
    [
      [0, 0],
      [0, 0],
      [0, 0]
    ]
  )
  t.equal(durable.length, 1)
})

t.test('away for longer than is waited: the error, and nothing is in the record', async (t) => {
  const { writer } = writerOn(() => undefined, 0)
  const error = away()
  await t.rejects(writer.commit([event], failing(error, error).write), error)
  t.equal(await writer.commit([event], failing().write), 1)
})

t.test('unsure: committed though no answer came, so that it is not done twice', async (t) => {
  const { writer, durable } = writerOn((looks) => {
    if (looks === 1) throw away()
    return true
  })
  const { write, chunks } = failing(away())
  t.equal(await writer.commit([event], write), undefined, 'what the statement gave is lost')
  t.equal(chunks.length, 1)
  t.equal(durable.length, 1)
  t.equal(writer.durable, 0)
})

t.test('unsure, and another writer has its place', async (t) => {
  const { writer } = writerOn(() => false)
  await t.rejects(writer.commit([event], failing(away()).write), lost)
  t.throws(() => writer.append('x', {}), lost)
})

t.test('unsure for longer than is waited: the error, and the writer writes no more', async (t) => {
  const { writer } = writerOn(() => {
    throw away()
  }, 0)
  const error = away()
  await t.rejects(writer.commit([event], failing(error).write), error)
  t.throws(() => writer.append('x', {}), lost)
})

t.test('no longer than until its process closes', async (t) => {
  const looked = Promise.withResolvers<void>()
  const { writer, port } = writerOn(() => {
    looked.resolve()
    throw away()
  })
  const error = away()
  const done = writer.commit([event], failing(error).write)
  await looked.promise
  port.patienceMs = -1
  await t.rejects(done, error)
})

t.test('once: one try, and whatever goes wrong the writer writes no more', async (t) => {
  const { writer, looks } = writerOn(() => true)
  const error = away()
  const { write, chunks } = failing(error)
  await t.rejects(writer.commit([event], write, { once: true }), error)
  t.equal(chunks.length, 1)
  t.equal(looks(), 0)
  t.throws(() => writer.append('x', {}), lost)
})

t.test('commits of one writer come one after another', async (t) => {
  const { writer, durable } = writerOn(() => undefined)
  const first = Promise.withResolvers<string>()
  const seen: string[] = []
  const one = writer.commit([event], () => first.promise)
  const two = writer.commit([event], async () => seen.push('two'))
  writer.append('toolProgress', {})
  t.strictSame(seen, [])
  first.resolve('one')
  t.strictSame(await Promise.all([one, two]), ['one', 1])
  t.match(durable, [
    { seq: 0, last: 0 },
    { seq: 1, last: 2 }
  ])
})
