import t from 'tap'
import { createBatch } from './batch.ts'

/** Statements that end when the test says so. */
function statements() {
  const begun: { items: readonly number[]; end: PromiseWithResolvers<readonly number[]> }[] = []
  const run = (items: readonly number[]) => {
    const end = Promise.withResolvers<readonly number[]>()
    begun.push({ items, end })
    return end.promise
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  async function end(at: number, error?: Error) {
    const one = begun[at]
    if (error) one?.end.reject(error)
    else one?.end.resolve(one.items.map((item) => item * 2))
    await turn()
  }
  return { begun, run, turn, end, asked: () => begun.map(({ items }) => items) }
}

const refused = Object.assign(new Error('value too long'), { code: '22001' })

t.test('what comes while a statement is in flight is the next one', async (t) => {
  const { run, turn, end, asked } = statements()
  const batch = createBatch(run)
  const first = [batch(1), batch(2)]
  await turn()
  const second = [batch(3), batch(4), batch(5)]
  await turn()
  t.same(asked(), [[1, 2]])
  await end(0)
  t.same(asked(), [
    [1, 2],
    [3, 4, 5]
  ])
  await end(1)
  t.same(await Promise.all([...first, ...second]), [2, 4, 6, 8, 10])
})

t.test('one of a lane at a time, and no more characters than are good for a statement', async (t) => {
  const { run, turn, end, asked } = statements()
  const batch = createBatch(run, {
    lane: (item) => (item > 10 ? 'large' : undefined),
    size: (item) => item * 1_000_000
  })
  const all = [3, 11, 12, 1, 2].map(batch)
  await turn()
  t.same(asked(), [[3, 1]], 'what is too large beside others waits')
  await end(0)
  await end(1)
  await end(2)
  await end(3)
  t.same(asked(), [[3, 1], [11], [12], [2]])
  t.same(await Promise.all(all), [6, 22, 24, 2, 4])
})

t.test('what the database refuses is tried alone; what it did not answer is not', async (t) => {
  const { run, turn, end, asked } = statements()
  const batch = createBatch(run)
  const results = Promise.allSettled([batch(1), batch(2)])
  await turn()
  await end(0, refused)
  t.same(asked(), [[1, 2], [1]])
  await end(1)
  await end(2, refused)
  t.match(await results, [
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: refused }
  ])
  const away = Promise.allSettled([batch(6), batch(7)])
  await turn()
  await end(3, new Error('Connection terminated'))
  t.equal(asked().length, 4)
  t.match(await away, [{ status: 'rejected' }, { status: 'rejected' }])
})
