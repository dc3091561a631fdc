import type { Fragment, Hot } from '../database/hot.ts'
import { single, textGiven } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import type { Row } from './stream.ts'

/** The channel of what `heard` takes: a JSON line `[writer, project, stream, seq, last, ended]`, then the body
 *  where it fits into a notification. */
export const channel = 'platform_stream'
/** Bytes that PostgreSQL takes as a notification, less one. */
const notifiable = 7900
/** Bytes of bodies that are read at once. */
const page = 262_144

const table = 'kernel.stream_chunk'
const columns = ['project', 'stream', 'seq', 'last', 'ended', 'writer', 'body'] as const
const insert = `insert into ${table} as t (${columns}) select ${columns} from
  unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::boolean[], $6::int[], $7::text[]) as c(${columns})`
const insertDocument = `insert into ${table} as t (${columns}) select ${columns} from
  jsonb_to_recordset($1::jsonb) as c(project text, stream text, seq int, last int, ended boolean, writer int, body text)`
const unlessTaken = 'on conflict do nothing returning project, stream'
const insertGiven = textGiven((given: string | undefined) => {
  const where = given ? ` where exists (select from ${given} g where g.id = c.stream)` : ''
  return `${insertDocument}${where} ${unlessTaken}`
})
const insertOne = textGiven((given: string | undefined) => {
  const where = given ? ` where exists (select from ${given} g where g.id = $2)` : ''
  return `insert into ${table} (${columns})
    select $1::text, $2::text, $3::int, $4::int, $5::boolean, $6::int, $7::text${where} ${unlessTaken}`
})
const pivot = (rows: readonly Row[]) => columns.map((column) => rows.map((row) => row[column]))

// After a lost connection nobody knows whether a chunk was committed: a writer's own one counts as inserted.
// The first chunk of a stream tells nobody: no one can have followed it before.
const flushText = `${insert} on conflict (project, stream, seq) do update set ended = excluded.ended
    where t.writer = excluded.writer and t.last = excluded.last
  returning writer, case when seq > 0 then (select pg_notify('${channel}',
      case when octet_length(head) + octet_length(body) < ${notifiable} then head || body else head end)
    from (select json_build_array(writer, project, stream, seq, last, ended)::text || e'\\n' as head) h) end`
// By the chunk that holds `after + 1`, or the last one before it: a condition on `last` would scan the stream.
// As one row: taking hundreds apart would cost more than all the rest.
const tailText = `select min(seq) as seq, max(last) as last, bool_or(ended) as ended,
    string_agg(body, e'\\n' order by seq) as body,
    (select last from ${table} where project = $1 and stream = $2 order by seq desc limit 1) as tip
  from (select seq, last, ended, body, octet_length(body) as size,
      sum(octet_length(body)) over (order by seq rows unbounded preceding) as total
    from ${table} where project = $1 and stream = $2 and seq >= coalesce((select seq from ${table}
      where project = $1 and stream = $2 and seq <= $3::int + 1 order by seq desc limit 1), 0)
    order by seq limit 2048) c
  where total - size < ${page}`
/** The latest chunk of each of these streams. */
export const statesText = `select k.project, k.stream, t.seq, t.last, t.ended, t.writer
  from unnest($1::text[], $2::text[]) as k(project, stream) cross join lateral
    (select seq, last, ended, writer from ${table} s where s.project = k.project and s.stream = k.stream
      order by seq desc limit 1) t`
const firstText = `select seq from ${table} where project = $1 and stream = $2 order by seq limit 1`
/** Chunks that lie before an event, so many at once; the bound on `seq` ends the scan. */
export const trimText = `delete from ${table} t
  using unnest($1::text[], $2::text[], $3::int[]) as k(project, stream, before)
  where t.project = k.project and t.stream = k.stream and t.seq in (select seq from ${table} c
    where c.project = k.project and c.stream = k.stream and c.seq < k.before and c.last < k.before
    order by c.seq limit 2048)
  returning t.stream`
const findText = `select writer = $4::int and last = $5::int as own from ${table}
  where project = $1 and stream = $2 and seq = $3::int`

/** SQLSTATE classes that say that a statement itself is at fault: trying it again cannot help. */
const faults = new Set(['21', '22', '23', '42', '54'])
const stateOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
export const isStatementError = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(stateOf(error))
export const isAtFault = (error: unknown): boolean => faults.has(stateOf(error).slice(0, 2))

export interface Key {
  readonly project: string
  readonly stream: string
}
export const keyOf = ({ project, stream }: Key): string => `${project}\n${stream}`

/** Consecutive events on their way to readers. */
export type Part = Pick<Row, 'seq' | 'last' | 'ended' | 'body'>
/** What became durable, perhaps without its body. */
export type News = Omit<Row, 'writer' | 'body'> & { readonly body?: string }
/** The latest chunk of a stream. */
export type State = Omit<Row, 'body'>

/** A chunk as a part of a statement, on condition of another part. */
export const insertChunk = (row: Row, given?: string): Fragment => ({
  text: insertOne(given),
  values: columns.map((column) => row[column])
})

/** Any number of them; many as one document, which costs half of arrays. */
export function insertChunks(chunks: readonly { row: Row }[], given?: string): Fragment {
  const one = single(chunks)
  if (one) return insertChunk(one.row, given)
  return { text: insertGiven(given), values: [JSON.stringify(chunks.map(({ row }) => row))] }
}

/** The SQL of streams. */
export function createRecord(hot: Hot) {
  const states = (keys: readonly Key[]) =>
    hot.query<State>('stream.states', statesText, [keys.map((k) => k.project), keys.map((k) => k.stream)])

  return {
    /** Ids of the writers whose chunks lie in the record now; notifies other processes in the same commit. */
    async append(rows: readonly Row[]): Promise<ReadonlySet<number>> {
      const written = await hot.query<{ writer: number }>('stream.flush', flushText, pivot(rows))
      return new Set(written.map(({ writer }) => writer))
    },
    /** The same of one in a transaction; false when another one has its place. */
    async insert(trx: Trx, row: Row): Promise<boolean> {
      const parts = { chunk: insertChunk(row) }
      return (await hot.together('stream.insert', parts, 'select stream from chunk', trx)).length > 0
    },
    async find({ project, stream, seq, writer, last }: Row): Promise<boolean | undefined> {
      const values = [project, stream, seq, writer, last]
      return (await hot.query<{ own: boolean }>('stream.find', findText, values))[0]?.own
    },
    /** A page behind `after`, undefined at the end; `tip` is the last event of all, -1 when the stream is unknown. */
    async tail({ project, stream }: Key, after: number): Promise<{ part: Part | undefined; tip: number }> {
      type Page = Part & { seq: number | null; tip: number | null }
      const [page] = await hot.query<Page>('stream.tail', tailText, [project, stream, after])
      return { part: page && page.seq !== null ? page : undefined, tip: page?.tip ?? -1 }
    },
    first: async ({ project, stream }: Key): Promise<number | undefined> =>
      (await hot.query<{ seq: number }>('stream.first', firstText, [project, stream]))[0]?.seq,
    states,
    state: async (key: Key): Promise<State | undefined> => (await states([key]))[0]
  }
}
export type Record = ReturnType<typeof createRecord>
