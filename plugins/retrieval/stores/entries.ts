import { createHash } from 'node:crypto'
import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Attributes, Entry, SearchQuery, Which } from '../contract.ts'

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

/** Matches that are ranked, of all words and of any: ranking reads each of them. */
const RANKED = { every: 500, any: 2_000 }

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
        select ?, ?, id, ?, scope, text, to_tsvector('english', text) || array_to_tsvector(array[word]), attributes
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

  /** By words, the best first: those with most of the query's words, of these those in which they stand out. */
  async function listByText(place: Place, query: string, limit: number): Promise<TextHit[]> {
    const words = place.scopes.map((scope) => scopeWord(place.project, place.collection, scope)).join(' | ')
    const every = `plainto_tsquery('english', ?)`
    const any = `replace(${every}::text, ' & ', ' | ')::tsquery`
    const asked = `to_tsvector('english', ?)`
    const text = clean(query)
    const matching = (ask: string, most: number) =>
      within(place)
        .whereRaw(`words @@ ((?)::tsquery && ${ask})`, [words, text])
        .select('number', 'entry', 'scope', 'words')
        .limit(most)
    const found = knex
      .from(matching(every, RANKED.every).union(matching(any, RANKED.any), true).as('found'))
      .select(knex.raw('number::float8 as number'), 'entry', 'scope')
      .select(
        knex.raw(
          `(length(words) - length(ts_delete(words, tsvector_to_array(${asked}))))::float8
            / greatest(1, length(${asked})) as score`,
          [text, text]
        )
      )
    const rows = await found
      .orderByRaw(`score desc, ts_rank(words, ${any}, 1) desc, found.number desc`, [text])
      .limit(limit)
    return rows.length > 0 ? rows : listByPhrase(place, text, limit)
  }

  /** For what has no words that count, such as `C++` or `to be`: the text as it stands. */
  async function listByPhrase(place: Place, text: string, limit: number): Promise<TextHit[]> {
    const phrase = text.trim().toLowerCase()
    if (phrase === '') return []
    const counts = knex.raw(`numnode(plainto_tsquery('english', ?)) = 0`, [text])
    const rows = await within(place)
      .where(counts)
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
