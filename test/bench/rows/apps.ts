import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Scope } from '../scope.ts'

const PACKS = ['access', 'agents', 'jobs', 'outgoing', 'storage', 'files', 'sandbox', 'ui-plugins']
/** Milliseconds between two requests of the caller that is measured. */
const EVERY = 10
/** Milliseconds that a call may take: each round waits for what never ends. */
const WALL = 5_000
/** Apps that are registered at a time. */
const LANES = 4
/** Each goes on in an app of its own, since who is the end of three processes is kept from more. */
const ATTACKS: Readonly<Record<string, string>> = {
  loops: 'for (;;);',
  'loops-later': 'await context.platform.agents.list(); for (;;);',
  promises: 'for (;;) await null',
  never: 'await new Promise(() => {})',
  regex: 'return /^(a+)+$/.test("a".repeat(60) + "b")',
  recursion: 'const f = () => f() + 1; return f()',
  maps: 'const m = new Map(); for (let n = 0; ; n++) m.set(n, { n })',
  arrays: 'const all = []; for (;;) all.push(new Array(1e7).fill(1.5))',
  joins: 'let s = "x".repeat(1e6); for (;;) s = s.split("").join("xx")',
  buffers: 'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))',
  floods: 'for (let n = 0; n < 1e4; n++) context.platform.agents.list(); await new Promise(() => {})',
  asks: 'for (;;) await context.platform.agents.list()',
  results: 'return "x".repeat(2e6)',
  sends: 'await context.platform.agents.list({ cursor: "x".repeat(2e6) })',
  logs: 'for (let n = 0; n < 2e4; n++) console.log(n, "x".repeat(100))',
  errors: 'throw new Error("x".repeat(1e6))'
}

type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>

const asker =
  (url: string, key: string): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: reply.status, text: await reply.text() }
  }

async function enable(ask: Ask, id: string, text: string): Promise<void> {
  const manifest = {
    manifestVersion: 1,
    id,
    name: id,
    version: '1.0.0',
    description: 'To be measured',
    server: { entry: 'server.js' },
    capabilities: [{ name: 'agents.list', reason: 'To be measured' }],
    egress: [],
    connections: [],
    functions: [{ name: 'go', description: 'To be measured', input: { type: 'object' } }],
    pages: []
  }
  const grants = { capabilities: [{ name: 'agents.list' }], hosts: [] }
  const registered = await ask('PUT', '/v1/ui-plugins', { manifest, files: { 'server.js': { text } } })
  const enabled = await ask('PUT', `/v1/ui-plugins/${id}/status`, { status: 'enabled', grants })
  if (enabled.status !== 200) throw new Error(`${registered.text} ${enabled.text}`)
}

const call = (ask: Ask, id: string) =>
  ask('POST', `/v1/ui-plugins/${id}/gateway`, { method: 'functions.call', params: { name: 'go', input: {} } })

const program = (body: string) => `export const functions = { go: async (input, context) => { ${body} } }`

/** How long another project's caller waits for its agents, 99 times of a hundred: asked again whether answered or not. */
async function p99(ask: Ask, ms: number): Promise<number> {
  const waits: Promise<number>[] = []
  const one = async () => {
    const begun = performance.now()
    const { status, text } = await ask('GET', '/v1/agents')
    if (status !== 200) throw new Error(`GET /v1/agents: ${status} ${text}`)
    return performance.now() - begun
  }
  for (const end = performance.now() + ms; performance.now() < end; await delay(EVERY)) waits.push(one())
  const all = (await Promise.all(waits)).sort((a, b) => a - b)
  return all[Math.ceil(all.length * 0.99) - 1] as number
}

async function attacked(scope: Scope, quick: boolean): Promise<Row> {
  const env = { SANDBOX_WALL_MILLISECONDS: String(WALL) }
  const served = await startPlatform(scope, {}, { packs: PACKS, env })
  const [eve, ada] = [
    asker(served.url, served.key),
    asker(served.url, await served.ask<string>('key', 'another'))
  ]
  for (const [id, body] of Object.entries(ATTACKS)) await enable(eve, `attack-${id}`, program(body))
  const counts = new Map<string, number>()
  const attack = async (id: string, signal: AbortSignal) => {
    while (!signal.aborted) {
      const { status, text } = await call(eve, `attack-${id}`)
      const code = (JSON.parse(text).error?.code as string | undefined) ?? String(status)
      counts.set(code, (counts.get(code) ?? 0) + 1)
      // Who is refused at once comes again soon.
      await delay(20)
    }
  }
  const ms = quick ? 3_000 : 10_000
  await p99(ada, 2_000)
  const [calm, under]: [number[], number[]] = [[], []]
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    calm.push(await p99(ada, ms))
    const over = new AbortController()
    const attacking = Promise.all(Object.keys(ATTACKS).map((id) => attack(id, over.signal)))
    await delay(500)
    under.push(await p99(ada, ms))
    over.abort()
    await attacking
  }
  const ratio = median(under) / median(calm)
  const codes = [...counts].map(([code, count]) => `${count} ${code}`).join(', ')
  return {
    what: `p99 of GET /v1/agents of another project while ${Object.keys(ATTACKS).length} apps attack`,
    reach: '≤ 2 × that without',
    measured: `${ratio.toFixed(2)} × (${median(under).toFixed(1)} ms, calm ${median(calm).toFixed(1)} ms; ${codes})`,
    met: ratio <= 2
  }
}

/** Megabytes of memory of a process and of all below it. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const below = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((it) => memoryOf(Number(it)))
  )
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024 + below.reduce((sum, it) => sum + it, 0)
}

/** Each counts its calls in its program, so that a 1 tells that it was loaded anew. */
const counting = (n: number) =>
  `${Array.from({ length: 400 }, (_, m) => `const f${m} = (x) => { const y = x.a + ${n + m}; return y > 10 ? { y, z: [1, 2, 3].map((q) => q * ${m}) } : null }`).join('\n')}
let count = 0
${program('return ++count')}`

async function enabled(scope: Scope, quick: boolean): Promise<Row[]> {
  const env = { UI_PLUGINS_OWNER_APPS: '2000', SANDBOX_WARM: '50' }
  const served: Served & { key: string } = await startPlatform(scope, {}, { packs: PACKS, env })
  const ask = asker(served.url, served.key)
  const known = quick ? 200 : 1_000
  const ids = Array.from({ length: known }, (_, n) => `app-${n}`)
  const go = async (id: string): Promise<number> => {
    const { status, text } = await call(ask, id)
    if (status !== 200) throw new Error(`${id}: ${status} ${text}`)
    return JSON.parse(text).data
  }
  const begun = performance.now()
  const waiting = ids.entries()
  const register = async () => {
    for (const [n, id] of waiting) await enable(ask, id, counting(n))
  }
  await Promise.all(Array.from({ length: LANES }, register))
  const perSecond = (known * 1_000) / (performance.now() - begun)
  for (const id of ids) await go(id)
  const mb = await memoryOf(await served.ask<number>('pid'))
  const last = ids.slice(-40)
  const counts: number[] = []
  for (const id of last) counts.push(await go(id))
  const stayed = counts.filter((it) => it > 1).length
  const isGone = (await go(ids[0] as string)) === 1
  return [
    {
      what: `${known} apps enabled, 50 warm: memory of the platform and all its processes`,
      reach: '≤ 1,500 MB',
      measured: `${Math.round(mb)} MB; ${Math.round(perSecond)} a second were registered and enabled`,
      met: mb <= 1_500
    },
    {
      what: 'which apps stay warm',
      reach: 'the least used leaves first',
      measured: `${stayed} of the 40 used last stayed; the first ${isGone ? 'had left' : 'was still there'}`,
      met: stayed === last.length && isGone
    }
  ]
}

/** Apps of strangers: what a caller beside them feels, and what many of them cost. */
export const measure: Measure = async (scope, quick) => [
  await attacked(scope, quick),
  ...(await enabled(scope, quick))
]
