import { createHash } from 'node:crypto'
import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Knex } from 'knex'
import type { Attributes, Entry, SearchQuery, Which } from '../contract.ts'
import type { Word } from './words.ts'
import { COMMON, COMPARED, combinationsOf, MAX_WORDS, parted, queryOf, RANKED, weightOf } from './words.ts'

export type EntryStore = ReturnType<typeof createEntryStore>
export type Place = Pick<SearchQuery, 'project' | 'collection' | 'scopes' | 'filter'>

/** An entry whose vector is to be made. `number` is another one for each text that it has. */
export interface Pending {
  readonly number: number
  readonly collection: string
  readonly scope: string
  readonly text: string
}
export interface TextHit {
  readonly number: number
  readonly entry: string
  readonly scope: string
  readonly score: number
}

/** Words of a text, for an index and for a query alike: CO₂ is found as CO2. */
const wordsOf = (text: string) => `to_tsvector('english', translate(${text}, '₀₁₂₃₄₅₆₇₈₉', '0123456789'))`

/** Stands in the words of each entry for its scope, so that the index of words is one of each scope. */
const scopeWord = (project: string, collection: string, scope: string): string =>
  `zz${createHash('sha256')
    .update(JSON.stringify([project, collection, scope]))
    .digest('hex')
    .slice(0, 32)}`

/** What PostgreSQL takes for a text. */
const clean = (text: string) => text.replaceAll('\0', ' ').toWellFormed()

export function createEntryStore({ knex }: Pick<Kernel, 'knex'>) {
  /** Rows of `given`, with the number of the entry that each takes the place of, if that has another text or scope. */
  async function insert(trx: Trx, { project, owner }: Owned, collection: string, entries: readonly Entry[]) {
    const given = entries.map(({ id, scope, text, attributes = {} }) => {
      const word = scopeWord(project, collection, scope)
      return { id, scope, text: clean(text), word, attributes }
    })
    const rows = JSON.stringify(given)
    const columns = 'id text, scope text, text text, word text, attributes jsonb'
    await trx.raw(
      `with given as (select * from jsonb_to_recordset(?::jsonb) as it(${columns})),
        replaced as (select e.project, e.collection, e.scope, e.number from retrieval.entry e
          join given g on g.id = e.entry where e.project = ? and e.collection = ?
          and (e.text <> g.text or e.scope <> g.scope) order by e.number for update of e),
        gone as (delete from retrieval.vector v using replaced r
          where v.project = r.project and v.number = r.number)
      insert into retrieval.removal (project, collection, scope, number)
        select project, collection, scope, number from replaced on conflict do nothing`,
      [rows, project, collection]
    )
    await trx.raw(
      `insert into retrieval.entry as e (project, collection, entry, owner, scope, text, words, attributes)
        select ?, ?, id, ?, scope, text, ${wordsOf('text')} || array_to_tsvector(array[word]), attributes
        from jsonb_to_recordset(?::jsonb) as it(${columns}) order by id
      on conflict (project, collection, entry) do update set owner = excluded.owner, scope = excluded.scope,
        text = excluded.text, words = excluded.words, attributes = excluded.attributes,
        number = case when e.text = excluded.text and e.scope = excluded.scope then e.number else excluded.number end,
        model = case when e.text = excluded.text and e.scope = excluded.scope then e.model end,
        failed = e.failed and e.text = excluded.text and e.scope = excluded.scope`,
      [project, collection, owner, rows]
    )
  }

  async function remove(trx: Trx, project: string, collection: string, { ids, scopes }: Which) {
    await trx.raw(
      `with gone as (delete from retrieval.entry where project = ? and collection = ?
          and ${ids ? 'entry' : 'scope'} = any(?::text[]) returning project, collection, scope, number),
        vectors as (delete from retrieval.vector v using gone g where v.project = g.project and v.number = g.number)
      insert into retrieval.removal (project, collection, scope, number)
        select project, collection, scope, number from gone on conflict do nothing`,
      [project, collection, [...(ids ?? scopes)]]
    )
  }

  const within = ({ project, collection, scopes, filter = {} }: Place) => {
    const query = knex('retrieval.entry').where({ project, collection })
    query.whereRaw('scope = any(?::text[])', [[...scopes]])
    for (const [name, value] of Object.entries(filter)) {
      const values = [value].flat() as Attributes[string][]
      query.whereRaw('attributes -> ? = any(?::text[]::jsonb[])', [
        name,
        values.map((it) => JSON.stringify(it))
      ])
    }
    return query
  }

  const matching = (place: Place, scopes: string, asked: string, ...given: string[]) =>
    within(place).whereRaw(`words @@ (?::tsquery && ${asked})`, [scopes, ...given])

  /** The words of a query, the rarest first. A word weighs more the fewer entries have it; a word in no entry weighs least. */
  async function listWords(place: Place, scopes: string, text: string): Promise<Word[]> {
    const most = RANKED + 1
    const { rows } = await knex.raw(
      `with asked as materialized (
          select array_to_tsvector(array[lexeme])::text::tsquery as word
          from unnest(${wordsOf('?')}) order by length(lexeme) desc, lexeme limit ?)
        select word::text, found.entries, ln(1 + greatest(1.0, total.entries::float8 / nullif(found.entries, 0))) as weight
        from asked
        cross join lateral (select count(*)::int as entries from (?) as it) as found
        cross join (select count(*) as entries from (?) as it) as total
        order by found.entries, word::text`,
      [
        text,
        MAX_WORDS,
        matching(place, scopes, 'asked.word').select(knex.raw('1')).limit(most),
        within(place).select(knex.raw('1')).limit(most)
      ] as never[]
    )
    return rows
  }

  /** The weight of each of these words, with each of the entries in which `found` looks for `asked.word`. */
  const weighed = (words: readonly Word[], found: Knex.QueryBuilder) =>
    knex.raw(
      `select number, weight from unnest(?::text[], ?::float8[]) as asked(word, weight) cross join lateral (?) as it`,
      [words.map(({ word }) => word), words.map(({ weight }) => weight), found] as never[]
    )

  /**
   * By words, the best first: entries with the largest share of the query, of these the entries in which its words stand out. The
   * rare words choose what is ranked, so that entries which share a common word do not hide others.
   */
  async function listByText(place: Place, query: string, limit: number): Promise<TextHit[]> {
    const text = clean(query)
    const scopes = place.scopes.map((scope) => scopeWord(place.project, place.collection, scope)).join(' | ')
    // Counted without the filter: it leaves no word more entries.
    const words = await listWords({ ...place, filter: {} }, scopes, text)
    if (words.length === 0) return listByPhrase(place, text, limit)
    const { rare, common } = parted(words)
    const some = queryOf(words, '|')
    const candidates = combinationsOf(common).map((part) => {
      const found = matching(place, scopes, '?::tsquery', queryOf(part, '&')).select('number')
      return knex.raw('(select number, ?::float8 as weight from (?) as it)', [
        weightOf(part),
        found.limit(COMMON.entries)
      ] as never[])
    })
    if (rare.length > 0) {
      const having = matching(place, scopes, 'asked.word::tsquery').select('number')
      const also = matching(place, scopes, '?::tsquery && asked.word::tsquery', queryOf(rare, '|'))
      candidates.push(
        knex.raw('(select number, sum(weight) as weight from (? union all ?) as it group by number)', [
          weighed(rare, having),
          weighed(common, also.select('number'))
        ] as never[])
      )
    }
    const { rows } = await knex.raw(
      `with found as (select number, max(weight) as weight from (${candidates.map(() => '?').join(' union all ')}) as it
          group by number order by weight desc, number desc limit ?)
        select number::float8 as number, entry, scope, round((weight / ?)::numeric, 6)::float8 as score
        from found join retrieval.entry using (number) where project = ?
        order by score desc, ts_rank(words, ?::tsquery, 1) desc, number desc limit ?`,
      [...candidates, COMPARED, weightOf(words), place.project, some, limit] as never[]
    )
    return rows
  }

  /** For what has no words that count, such as `C++` or `to be`: the text as it stands. */
  async function listByPhrase(place: Place, text: string, limit: number): Promise<TextHit[]> {
    const phrase = text.trim().toLowerCase()
    if (phrase === '') return []
    const rows = await within(place)
      .whereRaw('strpos(lower(text), ?) > 0', [phrase])
      .select(knex.raw('number::float8 as number'), 'entry', 'scope', knex.raw('1::float8 as score'))
      .orderBy('number', 'desc')
      .limit(limit)
    return rows
  }

  /** What stands for what, of those that are there still. */
  const listByNumbers = (place: Place, numbers: readonly number[]): Promise<TextHit[]> =>
    within(place)
      .whereRaw('number = any(?::bigint[])', [[...numbers]])
      .select(knex.raw('number::float8 as number'), 'entry', 'scope', knex.raw('0::float8 as score'))

  const listNumbers = async (place: Place): Promise<number[]> =>
    (await within(place).select(knex.raw('number::float8 as number'))).map(({ number }) => number)

  return { insert, remove, listByText, listByNumbers, listNumbers }
}
