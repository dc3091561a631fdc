import t from 'tap'
import { createMatrices } from '../../vectors/matrices.ts'

const MB = 1_048_576

/** The same numbers each time. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 4_294_967_296 - 0.5
  }
}
function rowsOf(count: number, dimensions: number, seed = 1) {
  const next = seeded(seed)
  return Float32Array.from({ length: count * dimensions }, next)
}
const numbersOf = (count: number, first = 0) => Float64Array.from({ length: count }, (_, at) => first + at)

/** What a plain loop finds. */
function expected(vector: Float32Array, rows: Float32Array, limit: number, without = new Set<number>()) {
  const { length } = vector
  const all = Array.from({ length: rows.length / length }, (_, number) => ({
    number,
    score: vector.reduce((sum, it, at) => sum + it * (rows[number * length + at] ?? 0), 0)
  }))
  return all
    .filter(({ number }) => !without.has(number))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ number }) => number)
}

for (const dimensions of [1, 3, 16, 100, 512, 3_072])
  t.test(`${dimensions} dimensions: the nearest are those that a plain loop finds`, (t) => {
    const matrices = createMatrices(16 * MB)
    const rows = rowsOf(300, dimensions)
    const vector = rowsOf(1, dimensions, 7)
    matrices.create('key', dimensions)
    t.ok(matrices.add('key', numbersOf(300), rows))
    t.ok(matrices.add('key', numbersOf(10), rows.subarray(0, 10 * dimensions)), 'twice is once')
    const found = matrices.nearest('key', vector, 20)
    t.same(
      found?.map(({ number }) => number),
      expected(vector, rows, 20)
    )

    const gone = new Set(Array.from({ length: 100 }, (_, at) => at * 3))
    matrices.remove('key', Float64Array.from([...gone, 999]))
    const left = matrices.nearest('key', vector, 20)?.map(({ number }) => number)
    t.same(left, expected(vector, rows, 20, gone))
    const allowed = new Set([1, 2, 4, 99, 299])
    const others = new Set(numbersOf(300).filter((number) => !allowed.has(number)))
    t.same(
      matrices.nearest('key', vector, 20, allowed)?.map(({ number }) => number),
      expected(vector, rows, 20, new Set([...others, ...gone]))
    )
    t.end()
  })

t.test('pages in any order are one matrix, and what comes twice is there once', (t) => {
  const matrices = createMatrices(32 * MB)
  const rows = rowsOf(9_000, 100)
  const vector = rowsOf(1, 100, 5)
  const page = (first: number) =>
    matrices.add('key', numbersOf(1_000, first), rows.subarray(first * 100, (first + 1_000) * 100))
  matrices.create('key', 100)
  for (const first of [2_000, 0, 1_000, 7_000, 3_000, 3_000, 5_500, 6_000, 8_000, 5_000, 4_000]) page(first)
  t.same(
    matrices.nearest('key', vector, 50)?.map(({ number }) => number),
    expected(vector, rows, 50)
  )
  t.end()
})

t.test('the key that was not used for longest makes room, and comes back right', (t) => {
  const matrices = createMatrices(MB)
  const rows = rowsOf(200, 512)
  const vector = rowsOf(1, 512, 9)
  for (const key of ['one', 'two', 'three']) {
    matrices.create(key, 512)
    t.ok(matrices.add(key, numbersOf(200), rows))
    matrices.nearest('one', vector, 1)
  }
  t.same(
    ['one', 'two', 'three'].map((key) => matrices.has(key)),
    [true, false, true]
  )
  t.equal(matrices.nearest('two', vector, 1), undefined)
  t.notOk(matrices.add('two', numbersOf(200), rows))
  t.same(
    matrices.nearest('one', vector, 9)?.map(({ number }) => number),
    expected(vector, rows, 9)
  )
  matrices.create('huge', 512)
  t.notOk(matrices.add('huge', numbersOf(1_500), rowsOf(1_500, 512)), 'more than there is room for')
  t.notOk(matrices.has('huge'))
  t.end()
})
