import type { Hot } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import { createBuffer } from './buffer.ts'
import { streamLost } from './commit.ts'
import type { State } from './record.ts'
import { insertChunks, keyOf, statesText, trimText } from './record.ts'
import type { Publication, Row } from './stream.ts'

/** What marks chunks that any transaction may have written: no writer draws that number. */
export const PUBLISHED = 0

/** Events between two times that what is not kept goes. */
const TRIM_EVERY = 512

const lockText = `select count(pg_advisory_xact_lock(hashtextextended(k, 0))) from unnest($1::text[]) k`

/** Adds to streams that have any number of writers, each in a transaction of its own; `told` after the commit. */
export const createPublish =
  (hot: Hot, told: (row: Row) => void) =>
  async (trx: Trx, given: readonly Publication[]): Promise<void> => {
    const publications = given.filter(({ events }) => events.length > 0)
    if (publications.length === 0) return
    const keys = publications.map(keyOf)
    if (new Set(keys).size < keys.length) throw new TypeError('A stream stands twice in what is published')
    const run = (name: string, text: string, values: readonly unknown[]) =>
      hot.together<State>(name, { rows: { text, values } }, 'select * from rows', trx)
    // In a statement of its own: what is read afterwards is what the last one who held the lock has committed.
    await run('stream.lock', lockText, [keys.toSorted().map((key) => `kernel.stream/${key}`)])
    const places = [publications.map(({ project }) => project), publications.map(({ stream }) => stream)]
    const tips = new Map((await run('stream.tips', statesText, places)).map((tip) => [keyOf(tip), tip]))
    const rows = publications.map((it) => rowOf(it, tips.get(keyOf(it))))
    const parts = { chunk: insertChunks(rows.map((row) => ({ row }))) }
    const written = await hot.together('stream.publish', parts, 'select stream from chunk', trx)
    if (written.length < rows.length) throw streamLost()
    const old = rows.filter((row, index) => isDue(row, publications[index]?.keep))
    if (old.length > 0) {
      const before = old.map((row) => row.last + 1 - (publications[rows.indexOf(row)]?.keep ?? 0))
      await run('stream.trim', trimText, [old.map((it) => it.project), old.map((it) => it.stream), before])
    }
    afterCommit(trx, () => rows.forEach(told))
  }

function rowOf(
  { project, stream, idField, events, ended = false }: Publication,
  tip: State | undefined
): Row {
  if (tip && tip.writer !== PUBLISHED) throw streamLost()
  if (tip?.ended) throw new Error('The stream has ended')
  const buffer = createBuffer(idField, stream, (tip?.last ?? -1) + 1)
  for (const event of events) buffer.append(event)
  return { project, stream, writer: PUBLISHED, ended, ...buffer.peek(true) }
}

/** Whether something of the stream may go by now: of what is kept in all there is too much, and a round number was passed. */
const isDue = ({ seq, last }: Row, keep: number | undefined): boolean =>
  keep !== undefined && last >= keep && Math.floor((last + 1) / TRIM_EVERY) > Math.floor(seq / TRIM_EVERY)
