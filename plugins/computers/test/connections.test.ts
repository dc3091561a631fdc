import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createConnections, WINDOW } from '../guest/connections.ts'
import { CREDIT, createDecoder, DATA, DATA_END, DIAL, encode } from '../guest/frames.ts'

/** Both ends, and what of frames lies between them. */
function pair() {
  const waiting: Buffer[] = []
  const accepted: Duplex[] = []
  const decode = createDecoder()
  const inner = createConnections((frame) => {
    waiting.push(frame)
    setImmediate().then(() => {
      for (const it of decode(waiting.shift() as Buffer)) outer.hear(it)
    })
    return true
  })
  const back = createDecoder()
  const outer = createConnections(
    (frame) => {
      setImmediate().then(() => {
        for (const it of back(frame)) inner.hear(it)
      })
      return true
    },
    (stream) => void accepted.push(stream)
  )
  return { inner, outer, accepted, waiting }
}
const frameOf = (kind: number, body: Buffer = Buffer.alloc(0), channel = 1) => ({ channel, kind, body })

t.test('bytes go both ways, and an end of one way leaves the other', async (t) => {
  const { inner, accepted } = pair()
  const [one, two] = [inner.dial(), inner.dial()]
  one.end('a'.repeat(1_000_000))
  two.write('hello')
  await setImmediate()
  await setImmediate()
  const [first, second] = accepted
  if (!first || !second) throw new Error('none was dialled')
  t.equal((await text(first)).length, 1_000_000)
  first.end('answered')
  t.equal(await text(one), 'answered')
  second.once('data', (bytes) => t.equal(String(bytes), 'hello'))
  await new Promise((then) => second.once('data', then))
  const closed = new Promise((then) => two.once('close', then))
  second.destroy()
  await closed
})

t.test('a reader that is slow holds back its own connection alone', async (t) => {
  const { inner, accepted } = pair()
  const [slow, quick] = [inner.dial(), inner.dial()]
  slow.write(Buffer.alloc(WINDOW * 4))
  quick.end('through')
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  const [first, second] = accepted
  t.ok(slow.writableLength > WINDOW * 2, 'most of it has not gone')
  t.equal(await text(second as NodeJS.ReadableStream), 'through')
  slow.end()
  t.equal((await text(first as NodeJS.ReadableStream)).length, WINDOW * 4, 'and all arrives in the end')
})

t.test('an end that does not keep to the rules is found out', async (t) => {
  const { outer } = pair()
  t.equal(outer.hear(frameOf(DIAL)), true)
  t.throws(() => outer.hear(frameOf(DIAL)), /there already/)
  t.equal(outer.hear(frameOf(DATA, Buffer.alloc(10), 7)), true, 'of none that there is: it may be late')
  t.throws(() => outer.hear(frameOf(CREDIT, encode(0, 0))), /no number/)
  t.throws(() => outer.hear(frameOf(CREDIT, Buffer.from([0, 0, 0, 1]))), /More is granted/)
  outer.hear(frameOf(DATA, Buffer.alloc(WINDOW)))
  t.throws(() => outer.hear(frameOf(DATA, Buffer.alloc(WINDOW))), /More comes/)
  outer.hear(frameOf(DATA_END))
  outer.hear(frameOf(DATA_END))
  t.throws(() => outer.hear(frameOf(DATA, Buffer.alloc(1))), /More comes/)
  t.equal(outer.hear(frameOf(11)), false, 'others are not its own')
  const guest = pair().inner
  t.throws(() => guest.hear(frameOf(DIAL)), /there already/, 'a guest is not dialled')
})
