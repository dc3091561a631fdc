import type { LoadResult } from '../load.ts'
import { startLoad } from '../load.ts'
import { changingPacks, routesPack } from '../packs.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'

const PACKS = 25
const ROUTES = 10
const EVERY_MS = 500
/** Bytes of heap and handles a change: less is within what comes and goes by itself. */
const FLAT = { heap: 2_048, handles: 0.05 }

async function call({ url, key }: Served, path: string, body?: object) {
  const reply = await fetch(`${url}/v1/packs${path}`, {
    method: body ? 'PUT' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: reply.status, body: (await reply.json()) as { data: never } }
}

/** The change of that number; every fourth is one that must be refused. None of them loads new code. */
async function change(side: Served, number: number): Promise<void> {
  const turn = number % 4
  const [path, body, expected]: [string, object, number] =
    turn === 3
      ? ['/failing', { enabled: true }, 409]
      : turn === 1
        ? ['/optional', { enabled: Math.floor(number / 4) % 2 === 1 }, 200]
        : ['/changing', { settings: { number } }, 200]
  const reply = await call(side, path, body)
  if (reply.status !== expected)
    throw new Error(`change ${number}: ${reply.status} ${JSON.stringify(reply.body)}`)
}

/** Changes one after another, at most one every half second, until `done`. */
async function changeUntil(side: Served, done: Promise<unknown>): Promise<number> {
  let going = true
  done.finally(() => {
    going = false
  })
  let count = 0
  while (going) {
    const pause = new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    await change(side, count++)
    await pause
  }
  return count
}

interface Applied {
  readonly action: string
  readonly outcome: string
  readonly buildMs: number
  readonly after: object | null
}

/** The latest changes that were applied, beside what came with the start. */
async function applied(side: Served): Promise<Applied[]> {
  const { body } = await call(side, '/changes?limit=100')
  return (body.data as Applied[]).filter(
    ({ action, outcome, buildMs }) => action !== 'installed' && outcome === 'applied' && buildMs !== null
  )
}

/** Resolves when no change is watched any more: until then the generation before it is still there. */
async function observed(side: Served): Promise<void> {
  while ((await applied(side)).some(({ after }) => after === null))
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}

interface Memory {
  readonly heap: number
  readonly resources: number
}

/** Bytes of heap and handles that each of `count` changes leaves behind, after as many that are not counted. */
async function growth(side: Served, count: number) {
  for (let number = 0; number < count; number++) await change(side, number)
  await observed(side)
  const before = await side.ask<Memory>('memory')
  for (let number = 0; number < count; number++) await change(side, number)
  await observed(side)
  const after = await side.ask<Memory>('memory')
  return {
    heap: (after.heap - before.heap) / count,
    handles: (after.resources - before.resources) / count
  }
}

/** Changes of packs while requests are answered. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const packs = Array.from({ length: PACKS }, (_, index) => routesPack(`steady${index}`, ROUTES))
  const side = await startPlatform(scope, Object.assign({}, changingPacks, ...packs), { off: ['failing'] })
  const paths = Array.from({ length: PACKS }, (_, index) => `/v1/steady${index}/r${index % ROUTES}/one`)
  const how = { paths, connections: 50, seconds: quick ? 4 : 10 }
  await load(side, how)
  const without: LoadResult[] = []
  const during: LoadResult[] = []
  let changes = 0
  for (let round = 0; round < (quick ? 2 : 3); round++) {
    without.push(await load(side, how))
    const loading = load(side, how)
    changes += await changeUntil(side, loading)
    during.push(await loading)
  }
  const buildMs = median((await applied(side)).map(({ buildMs }) => buildMs))
  const each = quick ? 40 : 200
  const left = await growth(side, each)

  const requests = during.reduce((sum, it) => sum + it.requests, 0)
  const failed = during.reduce((sum, it) => sum + it.failed, 0)
  const p99 = median(during.map((it, round) => it.p99 / (without[round] as LoadResult).p99))
  const [calm, busy] = [without, during].map((those) => median(those.map((it) => it.p99)).toFixed(1))
  const rows: Row[] = [
    {
      what: `${changes} changes of packs with ${PACKS * ROUTES} routes under 50 connections: requests that failed`,
      reach: '0',
      measured: `${failed} of ${requests}`,
      met: failed === 0
    },
    {
      what: '… p99 with changes / without',
      reach: '≤ 2',
      measured: `${p99.toFixed(2)} (${busy} / ${calm} ms)`,
      met: p99 <= 2
    },
    {
      what: '… build of a generation, median',
      reach: '≤ 30 ms',
      measured: `${buildMs.toFixed(1)} ms`,
      met: buildMs <= 30
    },
    {
      what: `… growth over ${each} changes that load no new code`,
      reach: 'flat',
      measured: `${(left.heap / 1_024).toFixed(2)} KB of heap a change, ${left.handles.toFixed(2)} handles`,
      met: left.heap <= FLAT.heap && left.handles <= FLAT.handles
    }
  ]
  return rows
}
