import { pgvector, vectorsOf } from '../../../plugins/retrieval/vectors/pglite-fixture.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'

const DIMENSIONS = 256
const COUNT = 5_500
const LIMIT = 60
const REACH = 1.3

/** A search by the store against the same one written by hand, in a PostgreSQL that has pgvector. */
export const measure: Measure = async (scope, quick) => {
  const { knex, instance } = await pgvector(scope)
  const place = { project: 'p', collection: 'papers.paper', model: 'm/one' }
  const vectors = vectorsOf(COUNT, DIMENSIONS)
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
  const [{ place: key }] = await knex(`retrieval.vector_${DIMENSIONS}`).limit(1)
  await knex.raw(`select set_config('hnsw.ef_search', '120', false)`)
  const byHand = async (vector: Float32Array) =>
    (
      await knex.raw(
        `select number, 1 - (numbers <=> ?::vector) as score from retrieval.vector_${DIMENSIONS}
          where place = ? order by numbers <=> ?::vector limit ${LIMIT}`,
        [`[${vector.join()}]`, key, `[${vector.join()}]`]
      )
    ).rows
  const times = { store: [] as number[], hand: [] as number[] }
  for (const vector of vectorsOf(quick ? 60 : 300, DIMENSIONS, 7))
    for (const side of ['store', 'hand'] as const) {
      const begun = performance.now()
      const found =
        side === 'hand'
          ? await byHand(vector)
          : await store.search({ ...place, scopes: ['a'], vector, limit: LIMIT })
      if (found.length !== LIMIT) throw new Error(`${side} found ${found.length}`)
      times[side].push(performance.now() - begun)
    }
  const [ours, hand] = [median(times.store), median(times.hand)]
  return [
    {
      what: `search of ${COUNT} vectors of ${DIMENSIONS} dimensions through pgvector (PGlite), against the same query by hand`,
      reach: `≤ ${REACH}×`,
      measured: `${(ours / hand).toFixed(2)}× (${ours.toFixed(1)} ms against ${hand.toFixed(1)} ms)`,
      met: ours <= hand * REACH
    }
  ]
}
