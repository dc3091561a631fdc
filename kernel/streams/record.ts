import type { Fragment, Hot } from '../data/hot.ts'
import type { Row } from './stream.ts'

/** The channel of what `heard` takes: a JSON line `[sender, project, stream, seq, last, ended]`, then the body
 *  where it fits into a notification. */
export const channel = 'platform_stream'
/** Bytes that PostgreSQL takes as a notification, less one. */
const notifiable = 7900
/** Bytes of bodies that are read at once. */
const page = 262_144

const columns = 'project, stream, seq, last, ended, writer, body'
const unnest = 'unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::boolean[], $6::int[], $7::text[])'
const table = 'kernel.stream_chunk'

// The first chunk of a stream tells nobody: no one can have followed it before.
const notify = (sender: string) => `case when seq > 0 then (select pg_notify('${channel}',
  case when octet_length(head) + octet_length(body) < ${notifiable} then head || body else head end)
  from (select json_build_array(${sender}::text, project, stream, seq, last, ended)::text || e'\\n' as head) h) end`

const flushText = `insert into ${table} (${columns}) select ${columns} from ${unnest} as c(${columns})
  on conflict do nothing returning project, stream, ${notify('$8')}`
const oneText = `insert into ${table} (${columns}) values
  ($1::text, $2::text, $3::int, $4::int, $5::boolean, $6::int, $7::text)
  on conflict do nothing returning project, stream`
const manyText = (given?: string) => `insert into ${table} (${columns}) select ${columns}
  from ${unnest} as c(${columns})${given ? ` where exists (select from ${given} g where g.stream = c.stream)` : ''}
  on conflict do nothing returning project, stream`
const claimText = `insert into ${table} (${columns})
  select $1::text, $2::text, last + 1, last + 1, false, $3::int, $4::text || (last + 1) || $5::text
  from (select last, ended from ${table} where project = $1 and stream = $2 order by seq desc limit 1) t
  where not ended and last = coalesce($6::int, last)
  on conflict do nothing returning seq, body, ${notify('$7')}`
// By the chunk that holds `after + 1`, or the last one before it: a condition on `last` would scan the stream.
const tailText = `select seq, last, ended, body,
    (select last from ${table} where project = $1 and stream = $2 order by seq desc limit 1) as tip
  from (select seq, last, ended, body, octet_length(body) as size,
      sum(octet_length(body)) over (order by seq rows unbounded preceding) as total
    from ${table} where project = $1 and stream = $2 and seq >= (select seq from ${table}
      where project = $1 and stream = $2 and seq <= $3::int + 1 order by seq desc limit 1)
    order by seq limit 1024) c
  where total - size < ${page} order by seq`
const stateText = `select last, ended from ${table} where project = $1 and stream = $2 order by seq desc limit 1`
const statesText = `select k.project, k.stream, t.seq, t.last, t.ended
  from unnest($1::text[], $2::text[]) as k(project, stream) cross join lateral
    (select seq, last, ended from ${table} s where s.project = k.project and s.stream = k.stream
      order by seq desc limit 1) t`
const findText = `select last, writer from ${table} where project = $1 and stream = $2 and seq = $3::int`
const notifyText = `select pg_notify('${channel}', p) from unnest($1::text[]) p`

export interface Tail {
  readonly rows: readonly Pick<Row, 'seq' | 'last' | 'ended' | 'body'>[]
  /** `last` of the stream when it was read, -1 when unknown. */
  readonly tip: number
}

/** The SQL of streams. `sender` is this process, as its notifications name it. */
export function createRecord(hot: Hot, sender: string) {
  const announcing: Row[] = []
  let busy = false

  async function announceAll() {
    while (announcing.length) {
      const heads = announcing.splice(0, 500).map((row) => notification(sender, row))
      // Lossy: whoever misses it finds the events at his next look.
      await hot.query('stream.notify', notifyText, [heads]).catch(() => undefined)
    }
    busy = false
  }

  return {
    /** Keys of those that were inserted; notifies other processes in the same commit. */
    async append(rows: readonly Row[]): Promise<ReadonlySet<string>> {
      const inserted = await hot.query<Row>('stream.flush', flushText, [...pivot(rows), sender])
      return new Set(inserted.map(keyOf))
    },
    async claim(
      project: string,
      stream: string,
      writer: number,
      parts: readonly [string, string],
      after?: number
    ) {
      const values = [project, stream, writer, ...parts, after ?? null, sender]
      const rows = await hot.query<{ seq: number; body: string }>('stream.claim', claimText, values)
      return rows[0]
    },
    /** Whether that very chunk lies in the record, another one at its place, or none. */
    async find(row: Row): Promise<'own' | 'foreign' | 'none'> {
      const values = [row.project, row.stream, row.seq]
      const [found] = await hot.query<{ last: number; writer: number }>('stream.find', findText, values)
      if (!found) return 'none'
      return found.writer === row.writer && found.last === row.last ? 'own' : 'foreign'
    },
    async tail(project: string, stream: string, after: number): Promise<Tail> {
      const rows = await hot.query<Row & { tip: number }>('stream.tail', tailText, [project, stream, after])
      return { rows, tip: rows[0]?.tip ?? -1 }
    },
    async state(project: string, stream: string) {
      const rows = await hot.query<{ last: number; ended: boolean }>('stream.state', stateText, [
        project,
        stream
      ])
      return rows[0]
    },
    states(keys: readonly { project: string; stream: string }[]) {
      const values = [keys.map((k) => k.project), keys.map((k) => k.stream)]
      return hot.query<Omit<Row, 'writer' | 'body'>>('stream.states', statesText, values)
    },
    /** Tells other processes of a chunk that a statement of its writer's owner committed. */
    announce(row: Row): void {
      if (row.seq === 0) return
      announcing.push(row)
      if (busy) return
      busy = true
      queueMicrotask(announceAll)
    }
  }
}
export type Record = ReturnType<typeof createRecord>

export const keyOf = ({ project, stream }: { project: string; stream: string }): string =>
  `${project}\n${stream}`

export const oneChunk = (row: Row): Fragment => ({
  text: oneText,
  values: [row.project, row.stream, row.seq, row.last, row.ended, row.writer, row.body]
})

export function manyChunks(rows: readonly Row[], given?: string): Fragment {
  if (given !== undefined && !/^\w+$/.test(given)) throw new TypeError('given must be the name of a query')
  return { text: manyText(given), values: pivot(rows) }
}

function pivot(rows: readonly Row[]): unknown[][] {
  return [
    rows.map((r) => r.project),
    rows.map((r) => r.stream),
    rows.map((r) => r.seq),
    rows.map((r) => r.last),
    rows.map((r) => r.ended),
    rows.map((r) => r.writer),
    rows.map((r) => r.body)
  ]
}

function notification(sender: string, row: Row): string {
  const head = `${JSON.stringify([sender, row.project, row.stream, row.seq, row.last, row.ended])}\n`
  return Buffer.byteLength(head) + Buffer.byteLength(row.body) < notifiable ? head + row.body : head
}
