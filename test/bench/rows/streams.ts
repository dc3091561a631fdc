import { streamsPack } from '../packs.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import type { Measure } from '../row.ts'
import { startSide } from '../side.ts'

export interface ReadersOrder {
  readonly url: string
  readonly key: string
  readonly ids: readonly string[]
}

const AT_ONCE = 500

/** Streams that have said one thing and are still open. */
async function streams({ url, key }: Served, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const reply = await fetch(`${url}/v1/quiet?count=${Math.min(AT_ONCE, count - ids.length)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` }
    })
    if (reply.status !== 200) throw new Error(`No streams: ${reply.status} ${await reply.text()}`)
    ids.push(...((await reply.json()) as { data: string[] }).data)
  }
  return ids
}

/** Memory of streams that are followed while nothing is said: writer, reader and connection together. */
export const measure: Measure = async (scope, quick) => {
  const count = quick ? 2_000 : 10_000
  const side = await startPlatform(scope, streamsPack)
  const readers = await startSide(scope, 'readers')
  const { url, key } = side
  const rss = async () => (await side.ask<{ rss: number }>('memory')).rss
  // Once before, so that what is loaded and compiled by then does not count.
  await readers.ask('follow', { url, key, ids: await streams(side, 200) })
  await readers.ask('leave')
  const before = await rss()
  const held = await readers.ask<number>('follow', { url, key, ids: await streams(side, count) })
  const after = await rss()
  if (held !== count || (await readers.ask<number>('count')) !== count)
    throw new Error(`${held} of ${count} streams were held open`)
  const each = (after - before) / count / 1_024
  return [
    {
      what: `${count.toLocaleString('en')} idle streams: resident memory of each`,
      reach: '≤ 40 KB',
      measured: `${each.toFixed(1)} KB`,
      met: each <= 40
    }
  ]
}
