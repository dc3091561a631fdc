import { LISTENERS, notesPacks } from '../packs.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import type { Compared } from '../rounds.ts'
import { compare } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Scope } from '../scope.ts'

/** Notes taken a second, until everything that comes of them is written. */
async function rate({ url, key, ask }: Served, way: 'facts' | 'plain', count: number): Promise<number> {
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${url}/v1/notes/${way}?count=${count}`, { method: 'POST', headers })
  if (reply.status !== 200) throw new Error(`${way}: ${reply.status} ${await reply.text()}`)
  await reply.body?.cancel()
  if (way === 'facts') await ask('settled')
  return (count / (performance.now() - startedAt)) * 1_000
}

async function compared(scope: Scope, quick: boolean, writes: boolean): Promise<Compared> {
  const side = await startPlatform(scope, notesPacks(writes))
  const count = quick ? 1_000 : 2_000
  for (const way of ['facts', 'plain'] as const) await rate(side, way, count / 4)
  return compare(
    quick ? 3 : 5,
    () => rate(side, 'facts', count),
    () => rate(side, 'plain', count)
  )
}

const row = (what: string, { first, second, ratio }: Compared): Row => ({
  what,
  reach: '≥ 0.5',
  measured: `${ratio.toFixed(2)} (${Math.round(first)} / ${Math.round(second)} a second)`,
  met: ratio >= 0.5
})

/** The way by the outbox, against writing all of it in the transaction that made it true. */
export const measure: Measure = async (scope, quick) => [
  row(
    `facts recorded and delivered to ${LISTENERS} packs that write a row each, against plain inserts of these rows`,
    await compared(scope, quick, true)
  ),
  row(
    `facts recorded and delivered to ${LISTENERS} packs that write nothing, against plain inserts of the facts alone`,
    await compared(scope, quick, false)
  )
]
