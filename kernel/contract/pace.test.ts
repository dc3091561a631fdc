import t from 'tap'
import { hasTurnTime, nextTurn, pace } from './pace.ts'

/** Computes for so many milliseconds. */
function work(ms: number): void {
  const begun = performance.now()
  while (performance.now() - begun < ms);
}

t.test('work in pieces leaves each turn of the loop after its share', async (t) => {
  let pieces = 0
  let isOver = false
  const working = (async () => {
    for (; pieces < 40; pieces++) {
      work(1)
      await pace()
    }
    isOver = true
  })()
  let turns = 0
  while (!isOver) {
    await new Promise(setImmediate)
    turns++
  }
  await working
  t.ok(turns >= 40 / 6, `${turns} turns`)
})

t.test(
  'those who work at the same time have one share together, and turns one after the other',
  async (t) => {
    const order: string[] = []
    const begun: string[] = []
    const worker = async (name: string) => {
      for (let piece = 0; piece < 30; piece++) {
        if (order.at(-1) !== name) order.push(name)
        if (!begun.includes(name)) begun.push(name)
        work(1)
        await pace()
      }
    }
    await nextTurn()
    await Promise.all(['a', 'b', 'c'].map(worker))
    t.same(begun, ['a', 'b', 'c'])
    t.ok(
      order.lastIndexOf('a') > order.indexOf('c'),
      `nobody waits for the whole of another: ${order.join('')}`
    )
  }
)

t.test('what waits has its turn though others ask first in each', async (t) => {
  let isServed = false
  const served = nextTurn().then(() => (isServed = true))
  for (let turn = 0; turn < 10 && !isServed; turn++) {
    while (hasTurnTime()) work(1)
    await new Promise(setImmediate)
  }
  t.ok(isServed)
  await served
})
