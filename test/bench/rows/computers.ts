import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { noComputers } from '../../computers.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

const run = promisify(execFile)
const BARE = [
  '--unshare-all',
  '--die-with-parent',
  '--ro-bind',
  '/usr',
  '/usr',
  '--symlink',
  'usr/bin',
  '/bin',
  '--symlink',
  'usr/lib',
  '/lib',
  '--symlink',
  'usr/lib64',
  '/lib64',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  'true'
]

/** Milliseconds of one of so many, one after another. */
async function each(count: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    await work()
    took.push(performance.now() - begun)
  }
  return median(took)
}

/** Memory in KiB that nothing else shares, of the first programs of computers. */
function memoryOfGuests(): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/opt/computer/bin/node')) return []
      return [Number(/Pss_Anon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])]
    } catch {
      return []
    }
  })
}

/** Commands in computers that are awake and asleep, against `bwrap` by hand; what computers take. */
export const measure: Measure = async (scope, quick) => {
  const skip = await noComputers()
  if (skip) return [{ what: 'computers', reach: 'bubblewrap', measured: `skipped: ${skip}`, met: true }]
  const [AWAKE, ASLEEP] = quick ? [4, 10] : [10, 90]
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'computers'] })
  const api = createApi(served)
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const reply = await fetch(served.url + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
  const create = async () => {
    const { id } = await api.post('/v1/agents', { name: 'Measured' })
    const of = (path: string) => `/v1/agents/${id}/computer${path}`
    await call('PUT', of('/config'), { enabled: true, memoryMb: 256, idleSeconds: 3_600 })
    return of
  }
  const of = await create()
  const exec = () => call('POST', of('/exec'), { argv: ['true'] })
  const bare = () => run('bwrap', BARE)
  const count = quick ? 20 : 100
  await each(count, exec)
  await each(count, bare)
  const pairs = await inTurns(
    quick ? 3 : ROUNDS,
    () => each(count, exec),
    () => each(count, bare)
  )
  const [ours, hand] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))]
  const waking: number[] = []
  for (let n = 0; n < (quick ? 5 : 20); n++) {
    await call('POST', of('/sleep'), {})
    waking.push(await each(1, exec))
  }
  const woken = median(waking)
  const heap = async () => (await served.ask<{ heap: number }>('memory')).heap
  const before = await heap()
  for (let n = 0; n < ASLEEP; n++) await create()
  const asleep = Math.max(0, ((await heap()) - before) / 1_024 / ASLEEP)
  const others = await Promise.all(Array.from({ length: AWAKE - 1 }, create))
  for (const other of others) await call('POST', other('/exec'), { argv: ['true'] })
  const awake = median(memoryOfGuests()) / 1_024
  return [
    {
      what: '`exec true` in a computer that is awake, against `bwrap … true` by hand',
      reach: '≤ 2 × + 5 ms',
      measured: `${ours.toFixed(1)} ms against ${hand.toFixed(1)} ms`,
      met: ours <= 2 * hand + 5
    },
    {
      what: 'a computer that sleeps: to the first output',
      reach: '≤ 300 ms',
      measured: `${woken.toFixed(0)} ms`,
      met: woken <= 300
    },
    {
      what: `memory of a computer that is awake, of ${AWAKE}, beyond what runs in it`,
      reach: '≤ 30 MB',
      measured: `${awake.toFixed(1)} MB`,
      met: awake <= 30
    },
    {
      what: `memory of a computer that sleeps, of ${ASLEEP}`,
      reach: '≤ 100 KB',
      measured: `${asleep.toFixed(0)} KB of heap`,
      met: asleep <= 100
    }
  ]
}
