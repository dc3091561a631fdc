import type { Trx } from '../database/transaction.ts'
import { PUBLISHED } from './publish.ts'
import type { Key } from './record.ts'

/** Rewrites the events of a published stream that hold a text. The caller publishes to the stream too, or alone writes it. */
export async function redact(
  trx: Trx,
  { project, stream }: Key,
  text: string,
  change: (event: Record<string, unknown>) => Record<string, unknown>
): Promise<void> {
  const found: { seq: number; body: string }[] = await trx('kernel.stream_chunk')
    .where({ project, stream, writer: PUBLISHED })
    .whereRaw('position(? in body) > 0', [text])
    .forUpdate()
    .select('seq', 'body')
  for (const { seq, body } of found) {
    const lines = body.split('\n').map((line) => {
      if (!line.includes(text)) return line
      const event = JSON.parse(line) as Record<string, unknown>
      return JSON.stringify({ ...change(event), type: event.type, seq: event.seq })
    })
    await trx('kernel.stream_chunk')
      .where({ project, stream, seq })
      .update({ body: lines.join('\n') })
  }
}
