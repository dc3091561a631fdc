import t from 'tap'
import type { Instance } from '../../test/streams.ts'
import { insert, parse, range, readAll, testbed } from '../../test/streams.ts'

/** A reader that was let in: what it gets after the first event is live. */
async function attach(on: Instance, stream: string) {
  const bodies = on.streams.follow('p', stream, -1)[Symbol.asyncIterator]()
  const events = parse((await bodies.next()).value ?? '')
  async function until(seq: number) {
    while ((events.at(-1)?.seq ?? -1) < seq) events.push(...parse((await bodies.next()).value ?? ''))
    return events.map((event) => event.seq)
  }
  return { until, done: () => bodies.next(), leave: () => bodies.return?.() }
}

async function started(on: Instance, stream = 'r') {
  const writer = on.streams.open('p', stream, 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  return writer
}

t.test('a stream is resumed after each of its events, live and from the record', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  const writer = await started(log)
  const live = range(-1, 30).map((after) => readAll(log, 'r', after))
  for (const step of range(1, 30)) {
    writer.append('agent_step', { step })
    if (step % 4 === 0) await writer.flushed()
  }
  await writer.end('final', {})
  const seqs = (events: { seq: number }[]) => events.map((event) => event.seq)
  for (const after of range(-1, 30)) {
    t.strictSame(seqs(await (live[after + 1] as Promise<{ seq: number }[]>)), range(after + 1, 31))
    t.strictSame(seqs(await readAll(other, 'r', after)), range(after + 1, 31))
  }
  t.strictSame(await readAll(other, 'r', 31), [], 'after its last event it ends at once')
})

t.test('a long stream is read page by page', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  const writer = await started(log)
  for (const step of range(1, 3000)) writer.append('agent_step', { step, text: 'x'.repeat(500) })
  await writer.end('final', {})
  t.strictSame(
    (await readAll(other, 'r')).map((event) => event.seq),
    range(0, 3001)
  )
})

t.test('a reader on another instance follows', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance({ unwatchedMs: 600_000 }), await instance({ pollMs: 600_000 })]
  await other.listen()
  const writer = await started(log)
  const reader = await attach(other, 'r')
  for (const step of range(1, 20)) {
    writer.append('agent_step', { step })
    t.strictSame(await reader.until(step), range(0, step))
  }
  await writer.commit([{ type: 'final', fields: {} }], (chunk) => insert(log, chunk), { ended: true })
  t.strictSame(await reader.until(21), range(0, 21), 'also what its owner committed')
  t.ok((await reader.done()).done)
})

t.test('readers go on over a take-over, and the old writer hears of it', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  await log.listen()
  await other.listen()
  const writer = await started(log)
  const readers = await Promise.all([attach(log, 'r'), attach(other, 'r')])
  const heir = await other.streams.claim('p', 'r', 'runId', { type: 'status', fields: {} })
  heir?.append('agent_step', {})
  for (const reader of readers) t.strictSame(await reader.until(2), [0, 1, 2])
  t.throws(() => writer.append('x', {}), { code: 'stream_lost' })
  await heir?.end('final', {})
  for (const reader of readers) t.strictSame(await reader.until(3), [0, 1, 2, 3])
})

t.test('what was not heard is read from the record', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance({ pollMs: 600_000 })]
  await other.listen()
  const writer = await started(log)
  const reader = await attach(other, 'r')
  await other.deaf()
  for (const step of range(1, 3)) writer.append('agent_step', { step })
  await writer.flushed()
  await other.listen()
  t.strictSame(await reader.until(3), range(0, 3), 'when the listener is back')
  other.heard(`${JSON.stringify(['x', 'p', 'unknown', 7, 9, false])}\n`)
  const lossy = await attach(other, 'r')
  t.strictSame(await lossy.until(3), range(0, 3))
  const heard = other.heard
  await other.deaf()
  writer.append('agent_step', { step: 4 })
  await writer.flushed()
  writer.append('agent_step', { step: 5 })
  await writer.flushed()
  const body = '{"type":"agent_step","runId":"r","seq":5,"step":5}'
  heard(`${JSON.stringify(['x', 'p', 'r', 5, 5, false])}\n${body}`)
  t.strictSame(await lossy.until(5), range(0, 5), 'when a later notification shows the gap')
  await writer.end('final', {})
})

t.test('without a listener followers poll', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  const writer = await started(log)
  const reader = await attach(other, 'r')
  for (const step of range(1, 5)) {
    writer.append('agent_step', { step })
    t.strictSame(await reader.until(step), range(0, step))
  }
  await writer.end('final', {})
  t.strictSame(await reader.until(6), range(0, 6))
})

t.test('a consumer that does not take holds nothing up and misses nothing', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const writer = await started(log)
  const slow = await attach(log, 'r')
  const fast = await attach(log, 'r')
  for (const step of range(1, 200)) {
    writer.append('agent_step', { step })
    await fast.until(step)
  }
  t.strictSame(await slow.until(200), range(0, 200))
  writer.append('agent_step', { step: 201 })
  t.strictSame(await slow.until(201), range(0, 201), 'and is live again')
  await writer.end('final', {})
})

t.test('following ends with its signal, and with the loop', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  await started(log)
  const stop = new AbortController()
  const bodies: string[] = []
  for await (const body of log.streams.follow('p', 'r', -1, stop.signal)) {
    bodies.push(body)
    setImmediate(() => stop.abort())
  }
  t.equal(bodies.length, 1)
  for await (const body of log.streams.follow('p', 'r', -1, stop.signal)) t.fail(body)
  for await (const body of log.streams.follow('p', 'r', -1)) {
    bodies.push(body)
    break
  }
  t.equal(bodies.length, 2)
})

t.test('an event is waited for by what it says', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const writer = await started(log)
  const waiting = log.streams.until('p', 'r', -1, ({ status }) => status === 'ready')
  writer.token('text', 'final_answer')
  writer.append('status', { status: 'ready' })
  t.match(await waiting, { type: 'status', runId: 'r', status: 'ready' })
  const left = AbortSignal.timeout(0)
  t.equal(await log.streams.until('p', 'r', -1, () => false, left), undefined, 'until its caller leaves')
  const never = log.streams.until('p', 'r', -1, ({ type }) => type === 'error')
  await writer.end('final', {})
  t.equal(await never, undefined, 'or the stream ends')
})
