import t from 'tap'
import { rangeOf } from './ranges.ts'

t.test('one range of bytes is cut to what there is', async (t) => {
  for (const [header, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=2-5', 2, 5],
    ['Bytes=2-', 2, 9],
    ['bytes=9-99999', 9, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-99', 0, 9],
    ['bytes=0-999999999999999', 0, 9]
  ] as const)
    t.same(rangeOf(header, 10), { start, end }, header)
})

t.test('without one, and for what is none or several, it is the whole', async (t) => {
  for (const header of [
    undefined,
    '',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,3-4',
    'bytes= 0-1',
    'bytes=a-b',
    'bytes=1',
    'items=0-1',
    'bytes=0-1000000000000000'
  ])
    t.equal(rangeOf(header, 10), undefined, String(header))
})

t.test('a range that has nothing of it says how much there is', async (t) => {
  for (const [header, size] of [
    ['bytes=10-', 10],
    ['bytes=10-20', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-5', 0]
  ] as const)
    t.match(
      thrown(() => rangeOf(header, size)),
      { headers: { 'content-range': `bytes */${size}` } },
      header
    )
})

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
}
