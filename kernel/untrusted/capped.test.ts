import t from 'tap'
import { readCapped } from './capped.ts'

/** A body without an end, and how much of it was taken. */
function endless(part: string) {
  const taken = { parts: 0, closed: false }
  async function* parts() {
    try {
      for (;;) {
        taken.parts++
        yield Buffer.from(part)
      }
    } finally {
      taken.closed = true
    }
  }
  return { body: parts(), taken }
}

t.test('a body is read as far as it may be, and then closed', async (t) => {
  const { body, taken } = endless('four')
  const { bytes, cut } = await readCapped(body, 10)
  t.equal(bytes.toString(), 'fourfourfo')
  t.equal(cut, true)
  t.same(taken, { parts: 3, closed: true })
})

t.test('what fits is whole, also nothing', async (t) => {
  const whole = await readCapped(new Response('1234').body, 4)
  t.same([whole.bytes.toString(), whole.cut], ['1234', false])
  t.same(await readCapped(null, 4), { bytes: Buffer.alloc(0), cut: false })
})
