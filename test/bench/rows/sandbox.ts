import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { processOf } from '../../../kernel/untrusted/workers/worker-start.ts'
import { sandbox } from '../../../plugins/sandbox/test/testbed.ts'
import { createOutbox } from '../../../plugins/sandbox/wire.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Scope } from '../scope.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>
type Work = (n: number) => Promise<unknown>

const INPUT = { name: 'Ada', tags: ['one', 'two'], text: 'x'.repeat(100) }
const PLAIN = 'return { n: input.n, name: input.name }'
const BRIDGED = 'return { n: await context.platform.numbers.read({ n: input.n }), name: input.name }'
/** Of each reach: at so many at a time, so many a second. */
const REACHES = [
  ['a call', PLAIN, 50, 40_000],
  ['a call', PLAIN, 1, 5_000],
  ['a call with a call of the platform in it', BRIDGED, 50, 20_000],
  ['a call with a call of the platform in it', BRIDGED, 1, 3_000]
] as const

/** How often a second `work` is done, so many at a time. */
async function pace(work: Work, atOnce: number, ms: number): Promise<number> {
  const begun = performance.now()
  let count = 0
  const worker = async () => {
    while (performance.now() - begun < ms) await work(count++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (count / (performance.now() - begun)) * 1_000
}

/** Sends a line to a process, and gives what comes back. */
function startEcho(scope: Scope): Work {
  const file = new URL('../sides/echo.ts', import.meta.url)
  const code = ['..', '../../../plugins/sandbox'].map((path) => fileURLToPath(new URL(path, file)))
  const waiting = new Map<string, (line: string) => void>()
  const input = JSON.stringify(INPUT)
  const worker = processOf(file, { heapMb: 256, code })({
    answer(text) {
      for (const line of String(text).split('\n')) {
        const id = line.slice(0, line.indexOf('\t'))
        waiting.get(id)?.(line)
        waiting.delete(id)
      }
    },
    gone() {}
  })
  worker.hold(true)
  scope.teardown(() => worker.end())
  const put = createOutbox((text) => worker.post(text), setImmediate)
  let count = 0
  return () =>
    new Promise((resolve) => {
      const id = String(++count)
      waiting.set(id, (line) => resolve(JSON.parse(line.slice(line.indexOf('\t') + 1))))
      put(`${id}\t${input}`)
    })
}

const caller =
  ({ go }: Sandbox, body: string): Work =>
  async (n) => {
    const answer = await go(body, { input: { ...INPUT, n }, host: async () => ({ data: n }) })
    if (!('data' in answer) || (answer.data as { n: number }).n !== n) throw new Error(JSON.stringify(answer))
  }

async function calls(scope: Scope, quick: boolean): Promise<Row[]> {
  const own = await sandbox(scope)
  const echo = startEcho(scope)
  const ms = quick ? 1_000 : 3_000
  const rows: Row[] = []
  for (const [what, body, atOnce, reach] of REACHES) {
    const work = caller(own, body)
    await Promise.all([pace(work, atOnce, ms), pace(echo, atOnce, ms)])
    const [paces, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      paces.push(await pace(work, atOnce, ms))
      bare.push(await pace(echo, atOnce, ms))
    }
    const [reached, floor] = [median(paces), median(bare)]
    rows.push({
      what: `sandbox: ${what}, ${atOnce} at a time`,
      reach: `≥ ${reach} a second`,
      measured: `${Math.round(reached)} a second (${(reached / floor).toFixed(2)} of a bare round trip)`,
      met: reached >= reach
    })
  }
  return rows
}

/** 50 KB of functions, no two texts alike. */
function large(n: number): string {
  const parts = Array.from(
    { length: 430 },
    (_, m) =>
      `f${m}: async (x) => { const y = x.a + ${n + m}; return y > 10 ? { y, z: [1, 2, 3].map((q) => q * ${m}) } : null }`
  )
  return `export const functions = { go: async (input) => input, ${parts.join(', ')} }`
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}

/** Programs that are known, of which few are warm: what it takes to start each, and the memory of all processes at the end. */
async function programs(scope: Scope, quick: boolean): Promise<Row[]> {
  const { go, pool } = await sandbox(scope, { warm: 50, processes: 6, idleSeconds: 3_600 })
  const known = quick ? 200 : 1_000
  const times: number[] = []
  for (let n = 0; n < known; n++) {
    const answer = await go(large(n), { name: `app ${n}`, group: `project ${n % 2}`, input: n })
    if (!('data' in answer)) throw new Error(JSON.stringify(answer))
    times.push(answer.usage.wallMs)
  }
  const { processes } = pool.readings()
  const warm = processes.reduce((sum, it) => sum + it.programs, 0)
  const mb = (await Promise.all(processes.map(({ pid }) => rssOf(pid)))).reduce((sum, it) => sum + it, 0)
  const text = `${Math.round(large(0).length / 1_000)} KB`
  return [
    {
      what: `sandbox: cold start of a program of ${text}`,
      reach: '≤ 15 ms',
      measured: `${median(times).toFixed(1)} ms (p90 ${times.toSorted((a, b) => a - b)[Math.floor(known * 0.9)]?.toFixed(1)} ms)`,
      met: median(times) <= 15
    },
    {
      what: `sandbox: memory, ${known} programs known, ${warm} warm`,
      reach: '≤ 1,500 MB',
      measured: `${Math.round(mb)} MB in ${processes.length} processes`,
      met: mb <= 1_500
    }
  ]
}

/** Calls of programs of strangers, through a process. */
export const measure: Measure = async (scope, quick) => [
  ...(await calls(scope, quick)),
  ...(await programs(scope, quick))
]
