import { pgvector, vectorsOf } from '../../../plugins/retrieval/test/vectors/pglite-fixture.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Scope } from '../scope.ts'

const SIZES = [
  { dimensions: 32, count: 5_500 },
  { dimensions: 512, count: 20_000 }
] as const
const QUICK = 5_500
const LIMIT = 60
const REACH = 1.3

/** A search by the store against the same one written by hand, in a PostgreSQL that has pgvector. */
async function compare(scope: Scope, dimensions: number, count: number, rounds: number): Promise<Row> {
  const { knex, instance } = await pgvector(scope)
  const place = { project: 'p', collection: 'papers.paper', model: 'm/one' }
  const vectors = vectorsOf(count, dimensions)
  const kept = vectors.map(({ buffer }) => Buffer.from(buffer))
  await knex.raw(
    `insert into retrieval.vector (project, number, model, collection, scope, numbers)
      select 'p', number, 'm/one', 'papers.paper', 'a', numbers
      from unnest(?::bytea[]) with ordinality as it(numbers, number)`,
    [kept] as never[]
  )
  const { store } = instance('auto')
  await store.index(AbortSignal.timeout(300_000))
  await knex.raw('analyze')
  const [{ place: key }] = await knex(`retrieval.vector_${dimensions}`).limit(1)
  await knex.raw(`select set_config('hnsw.ef_search', '120', false)`)
  const byHand = async (vector: Float32Array) =>
    (
      await knex.raw(
        `select number, 1 - (numbers <=> ?::vector) as score from retrieval.vector_${dimensions}
          where place = ? order by numbers <=> ?::vector limit ${LIMIT}`,
        [`[${vector.join()}]`, key, `[${vector.join()}]`]
      )
    ).rows
  const times = { store: [] as number[], hand: [] as number[] }
  // In turns: the first to read near a vector finds none of it in the cache of the processor.
  for (const [at, vector] of vectorsOf(rounds, dimensions, 7).entries())
    for (const side of at % 2 ? (['store', 'hand'] as const) : (['hand', 'store'] as const)) {
      const begun = performance.now()
      const found =
        side === 'hand'
          ? await byHand(vector)
          : await store.search({ ...place, scopes: ['a'], vector, limit: LIMIT })
      if (found.length !== LIMIT) throw new Error(`${side} found ${found.length}`)
      times[side].push(performance.now() - begun)
    }
  const [ours, hand] = [median(times.store), median(times.hand)]
  return {
    what: `search of ${count} vectors of ${dimensions} dimensions through pgvector (PGlite), against the same query by hand`,
    reach: `≤ ${REACH}×`,
    measured: `${(ours / hand).toFixed(2)}× (${ours.toFixed(1)} ms against ${hand.toFixed(1)} ms)`,
    met: ours <= hand * REACH
  }
}

export const measure: Measure = async (scope, quick) => {
  const rows: Row[] = []
  for (const { dimensions, count } of SIZES)
    rows.push(await compare(scope, dimensions, quick ? QUICK : count, quick ? 60 : 300))
  return rows
}
