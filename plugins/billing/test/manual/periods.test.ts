import fc from 'fast-check'
import t from 'tap'
import { creditsOf, microOf, shareOf } from '../../amounts.ts'
import { periodEnd, prorated } from '../../manual/periods.ts'

const days = (anchor: string, count: number, interval: 'month' | 'year' = 'month') => {
  const ends: string[] = []
  let at = anchor
  while (ends.length < count) {
    at = periodEnd(anchor, at, interval)
    ends.push(at.slice(0, 10))
  }
  return ends
}

t.test('periods are counted from the anchor', async (t) => {
  t.same(days('2027-01-31T10:00:00.000Z', 4), ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
  t.same(days('2027-12-31T23:59:59.999Z', 3), ['2028-01-31', '2028-02-29', '2028-03-31'])
  t.same(days('2028-02-29T00:00:00.000Z', 4, 'year'), [
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29'
  ])
  t.equal(
    periodEnd('2027-03-10T00:00:00.000Z', '2027-03-01T00:00:00.000Z', 'month'),
    '2027-03-10T00:00:00.000Z'
  )
})

t.test('each period begins where the one before ended, and none is empty', async () => {
  const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(time, fc.constantFrom('month' as const, 'year' as const), (anchor, interval) => {
      let at = anchor.toISOString()
      for (let n = 0; n < 15; n++) {
        const end = periodEnd(anchor.toISOString(), at, interval)
        if (Date.parse(end) <= Date.parse(at)) return false
        at = end
      }
      return true
    })
  )
})

t.test('what is left of a period is between nothing and its price', async () => {
  const price = fc.integer({ min: 0, max: 99_999_999 })
  const span = { start: '2027-01-01T00:00:00.000Z', end: '2027-02-01T00:00:00.000Z' }
  const now = fc.integer({ min: Date.parse('2026-12-01'), max: Date.parse('2027-03-01') })
  fc.assert(
    fc.property(price, price, now, (next, before, now) => {
      const amount = prorated(next, { price: before, ...span }, now)
      return Number.isInteger(amount) && amount <= next && amount >= next - before
    })
  )
})

t.test('credits are never made of nothing by parts and shares', async () => {
  const micro = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(fc.property(micro, (size) => microOf(creditsOf(size)) === size))
  const whole = fc.integer({ min: 1, max: 99_999_999 })
  fc.assert(
    fc.property(micro, whole, fc.double({ min: 0, max: 1, noNaN: true }), (size, whole, part) => {
      const first = Math.floor(whole * part)
      const credits = creditsOf(size)
      return shareOf(credits, first, whole) + shareOf(credits, whole - first, whole) <= size
    })
  )
})
