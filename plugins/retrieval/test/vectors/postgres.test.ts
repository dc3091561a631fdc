// budget: 20 s, because PostgreSQL runs in WebAssembly and builds an index of thousands of vectors
// tier: whole
import t from 'tap'
import { pgvector, vectorsOf } from './pglite-fixture.ts'

const DIMENSIONS = 8
const [project, collection, model] = ['p', 'papers.paper', 'm/one']
const owner = { project, owner: 'user_ada' }
const place = { project, collection, model }
const signal = AbortSignal.timeout(120_000)
const running = pgvector(t)

/** Adds entries of a scope with vectors, through that store; their numbers, as `vectors` has them. */
async function put(
  store: Awaited<ReturnType<typeof instances>>['pg'],
  scope: string,
  vectors: readonly Float32Array[]
): Promise<number[]> {
  const { knex, transaction, entryStore } = await running
  const entries = vectors.map((_, at) => ({ id: `${scope}-${at}`, scope, text: `n${at}` }))
  return transaction(async (trx) => {
    await entryStore.insert(trx, owner, collection, entries)
    const rows = await trx('retrieval.entry')
      .where({ project, scope })
      .select('entry', knex.raw('number::float8 as number'))
    const numbers = new Map(rows.map(({ entry, number }) => [entry as string, number as number]))
    const given = vectors.map((vector, at) => {
      const number = numbers.get(`${scope}-${at}`) as number
      return { number, collection, scope, text: '', vector }
    })
    await store.insert(trx, project, model, given)
    return given.map(({ number }) => number)
  })
}
async function instances() {
  const { instance } = await running
  return { pg: instance('auto').store, memory: instance('memory').store }
}
const stores = instances()

function exact(
  asked: Float32Array,
  numbers: readonly number[],
  vectors: readonly Float32Array[],
  limit: number
) {
  return vectors
    .map((vector, at) => ({
      number: numbers[at] as number,
      score: vector.reduce((sum, it, index) => sum + it * (asked[index] as number), 0)
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
const numbersOf = (found: readonly { number: number }[]) => found.map(({ number }) => number)

t.test('what was kept before is found, and moves into a table', async (t) => {
  const { pg, memory } = await stores
  const { knex } = await running
  const vectors = vectorsOf(1_050, DIMENSIONS)
  const numbers = await put(memory, 'old', vectors)
  const asked = vectorsOf(1, DIMENSIONS, 9)[0] as Float32Array
  const query = { ...place, scopes: ['old'], vector: asked, limit: 20 }
  const wanted = exact(asked, numbers, vectors, 20)
  t.same(numbersOf(await pg.search(query)), numbersOf(wanted), 'before there is a table')
  await pg.index(signal)
  t.match(await knex('retrieval.vector').where({ indexed: false }).count(), [{ count: '0' }])
  t.match(await knex(`retrieval.vector_${DIMENSIONS}`).count(), [{ count: '1050' }])
  const found = await pg.search(query)
  t.same(numbersOf(found), numbersOf(wanted))
  for (const [at, { score }] of found.entries()) t.ok(Math.abs(score - (wanted[at]?.score ?? 0)) < 1e-5)
  t.same(await memory.search(query).then(numbersOf), numbersOf(wanted), 'memory has it still')
})

t.test('what is put, by whatever instance, and what goes is seen by the next search', async (t) => {
  const { pg, memory } = await stores
  const { knex, transaction, entryStore } = await running
  const vectors = vectorsOf(40, DIMENSIONS, 3)
  const asked = vectors[7] as Float32Array
  const query = { ...place, scopes: ['new', 'newer'], vector: asked, limit: 10 }
  const first = await put(pg, 'new', vectors.slice(0, 20))
  t.match(await knex('retrieval.vector').where({ scope: 'new', indexed: true }).count(), [{ count: '20' }])
  t.equal((await pg.search(query))[0]?.number, first[7])
  const second = await put(memory, 'newer', vectors.slice(20))
  const all = [...first, ...second]
  t.same(numbersOf(await pg.search(query)), numbersOf(exact(asked, all, vectors, 10)), 'both are one list')
  await pg.index(signal)
  t.same(numbersOf(await pg.search(query)), numbersOf(exact(asked, all, vectors, 10)), 'once each')
  t.same(numbersOf(await pg.search({ ...query, allowed: all.slice(30) })).sort(), all.slice(30).sort())

  await transaction((trx) => entryStore.remove(trx, project, collection, { ids: ['new-7'] }))
  t.notOk(numbersOf(await pg.search(query)).includes(first[7] as number))
  await transaction((trx) => entryStore.remove(trx, project, collection, { scopes: ['newer'] }))
  t.ok((await pg.search(query)).every(({ number }) => first.includes(number)))
  t.match(await knex(`retrieval.vector_${DIMENSIONS}`).count(), [{ count: `${1_050 + 19}` }])
})

t.test('never beyond scope, collection, project and model', async (t) => {
  const { pg } = await stores
  const numbers = await put(pg, 'mine', vectorsOf(5, DIMENSIONS, 4))
  const vector = vectorsOf(1, DIMENSIONS, 4)[0] as Float32Array
  const query = { ...place, scopes: ['mine'], vector, limit: 60 }
  t.same(numbersOf(await pg.search(query)).sort(), [...numbers].sort())
  for (const other of [
    { scopes: ['none'] },
    { project: 'q' },
    { collection: 'papers.other' },
    { model: 'm/two' }
  ])
    t.same(await pg.search({ ...query, ...other }), [], JSON.stringify(other))
})

t.test('a search that is aborted ends', async (t) => {
  const { pg } = await stores
  const vector = vectorsOf(1, DIMENSIONS)[0] as Float32Array
  const aborted = AbortSignal.abort(new Error('enough'))
  await t.rejects(pg.search({ ...place, scopes: ['old'], vector, limit: 5, signal: aborted }), {
    message: 'enough'
  })
})

t.test(
  'the extension is dropped while it is used: memory searches; when it is back, it is used again',
  async (t) => {
    const { pg } = await stores
    const { instance, knex, warnings } = await running
    const vectors = vectorsOf(30, DIMENSIONS, 12)
    const numbers = await put(pg, 'dropped', vectors)
    const asked = vectorsOf(1, DIMENSIONS, 13)[0] as Float32Array
    const query = { ...place, scopes: ['dropped'], vector: asked, limit: 10 }
    const wanted = numbersOf(exact(asked, numbers, vectors, 10))
    t.same(numbersOf(await pg.search(query)), wanted)
    const filling = instance('pgvector').store
    await filling.index(signal)
    await knex.raw('drop extension vector cascade')

    const { length } = warnings
    const found = await Promise.all([pg.search(query), pg.search(query)])
    for (const it of found) t.same(numbersOf(it), wanted, 'by memory')
    t.match(warnings.slice(length), [{ msg: /pgvector is not there any more/, reason: /vector|numbers/ }])
    t.equal(warnings.length, length + 1, 'it is told once')
    const more = await put(pg, 'dropped-too', vectors)
    const both = { ...query, scopes: ['dropped', 'dropped-too'], limit: 60 }
    t.same(numbersOf(await pg.search(both)).sort(), [...numbers, ...more].sort())
    await t.rejects(put(filling, 'refused', vectors), { code: /^42/ })
    await put(filling, 'refused', vectors)

    await knex.raw('create extension vector')
    const back = instance('pgvector').store
    t.same(numbersOf(await back.search(query)), wanted, 'before its table is filled')
    await back.index(signal)
    t.match(await knex('retrieval.vector').where({ indexed: false }).count(), [{ count: '0' }])
    t.same(numbersOf(await back.search(query)), wanted)
    t.equal(warnings.length, length + 2, 'nothing else is told')
  }
)

// Behind the test that fills a table anew, since each vector costs a millisecond of an index here.
t.test('a large scope is searched by HNSW, with little lost; a small one beside it exactly', async (t) => {
  const { instance, knex } = await running
  const pg = instance('pgvector').store
  await pg.index(signal)
  const vectors = vectorsOf(5_200, DIMENSIONS, 5)
  const numbers: number[] = []
  const small = vectorsOf(30, DIMENSIONS, 6)
  const few = await put(pg, 'small', small)
  // In pages, as entries come.
  for (let at = 0; at < vectors.length; at += 1_000) {
    const page = vectors.slice(at, at + 1_000)
    numbers.push(...(await put(pg, `large-${at}`, page)))
  }
  // As autovacuum does elsewhere.
  await knex.raw('analyze')
  const scopes = Array.from({ length: 6 }, (_, at) => `large-${at * 1_000}`)
  const asked = vectorsOf(30, DIMENSIONS, 8)
  let hits = 0
  const statements: string[] = []
  let bindings: unknown[] = []
  const listen = (asked: { sql: string; bindings: unknown[] }) => {
    statements.push(asked.sql)
    bindings = asked.bindings
  }
  knex.on('query', listen)
  for (const vector of asked) {
    const found = numbersOf(await pg.search({ ...place, scopes, vector, limit: 20 }))
    t.equal(new Set(found).size, 20)
    const wanted = numbersOf(exact(vector, numbers, vectors, 20))
    hits += wanted.filter((number) => found.includes(number)).length
  }
  knex.off('query', listen)
  t.ok(
    statements.filter((sql) => sql.includes('hnsw.iterative_scan')).length === asked.length,
    'by the index'
  )
  const { rows } = await knex.raw(
    `explain ${statements.at(-1)?.replaceAll(/\$\d+/g, '?')}`,
    bindings as never[]
  )
  t.match(JSON.stringify(rows), `vector_${DIMENSIONS}_numbers`, 'the plan reads it')
  t.ok(hits / (20 * asked.length) > 0.95, `recall ${hits / (20 * asked.length)}`)
  const vector = asked[0] as Float32Array
  const found = await pg.search({ ...place, scopes: ['small'], vector, limit: 60 })
  t.same(numbersOf(found), numbersOf(exact(vector, few, small, 60)))
})

t.test('where the extension cannot be had, memory searches, and the log says why', async (t) => {
  const { instance, knex, warnings } = await running
  await knex.raw(
    'create role plain; grant all on schema retrieval to plain; grant all on all tables in schema retrieval to plain'
  )
  await knex.raw('drop extension vector cascade; set role plain')
  const vector = vectorsOf(1, DIMENSIONS)[0] as Float32Array
  const query = { ...place, scopes: ['old'], vector, limit: 5 }
  t.equal((await instance('pgvector').store.search(query)).length, 5)
  t.match(warnings.at(-1), { reason: /permission denied/, msg: /searched in memory/ })
})
