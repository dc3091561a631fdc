// budget: 12 s, because what never ends is given its time
import type { Test } from 'tap'
import t from 'tap'
import type { SandboxAnswer, SandboxCall } from '../../contract.ts'
import type { Asking } from '../testbed.ts'
import { outcome, sandbox } from '../testbed.ts'

const shared = sandbox(t, {
  processes: 4,
  cpuMilliseconds: 300,
  // What takes too much of the processor is ended for that, however long others keep it from getting there.
  wallMilliseconds: 120_000,
  heapMegabytes: 32,
  processMegabytes: 320,
  logLines: 20
})
const ofThePlatform = /\/(?:tmp|home|usr|root|srv|node_modules|plugins)\b|file:|node:|isolated-vm/
const megabytes = () => process.memoryUsage().heapUsed / 1_048_576
let count = 0

/** What an attack gives; while it goes on, a program in another process is answered, and this process keeps its memory. */
async function attack(t: Test, body: string, call: Asking = {}, tries = 10): Promise<SandboxAnswer> {
  const { go } = await shared
  await go('return 0', { group: 'ada' })
  const before = megabytes()
  let begun = 0
  const host: SandboxCall['host'] = async (method, params, signal) => {
    if (method === 'begun') return { data: ++begun }
    return call.host ? call.host(method, params, signal) : { data: { method, params } }
  }
  // What fails while it is loaded, or is not let in, has no turn of its own.
  const hasTurn = !body.includes('export ') && String(call.input).length < 1_000_000
  const text = hasTurn ? `await context.call('begun');\n${body}` : body
  const attacking = go(text, { group: 'eve', name: `attack ${++count}`, ...call, host })
  let isOver = false
  attacking.finally(() => {
    isOver = true
  })
  let answered = 0
  do {
    const answer = await go('return await context.call("x", input)', { group: 'ada', input: ++answered })
    t.match(answer, { data: { params: answered } }, 'another one is answered')
    await new Promise((resolve) => setTimeout(resolve, 50))
  } while (!isOver)
  const answer = await attacking
  // Its process may end by the attack before, which is no answer to this one.
  if (begun === 0 && hasTurn && tries > 1) return attack(t, body, call, tries - 1)
  t.equal(begun, hasTurn ? 1 : 0, 'it began')
  t.notMatch(JSON.stringify(answer), ofThePlatform, 'nothing of the platform is told')
  t.ok(megabytes() - before < 64, `${(megabytes() - before).toFixed(0)} MB`)
  return answer
}

const MEMORY = /^(?:memory_exceeded|sandbox_lost|cpu_exceeded)$/
const attacks: Readonly<Record<string, readonly [code: string | RegExp, body: string, call?: Asking]>> = {
  'endless loop': ['cpu_exceeded', 'for (;;);'],
  'loop after an awaited call': ['cpu_exceeded', 'await context.call("x"); for (;;);'],
  'loop of promises': ['cpu_exceeded', 'for (;;) await null'],
  'loop of awaited calls': [
    /^(?:time|cpu)_exceeded$/,
    'for (;;) await context.call("x")',
    { limits: { wallMs: 1_000 } }
  ],
  'loop in the getter of an error': ['cpu_exceeded', 'throw { get message() { for (;;); } }'],
  'loop in toJSON': ['cpu_exceeded', 'return { toJSON() { for (;;); } }'],
  'loop while it is loaded': ['cpu_exceeded', 'for (;;); export const functions = {}'],
  'catastrophic regular expression': ['cpu_exceeded', 'return /^(a+)+$/.test("a".repeat(60) + "b")'],
  'promise that never settles': [
    'time_exceeded',
    'await new Promise(() => {})',
    { limits: { wallMs: 1_000 } }
  ],
  'promise that never settles while it is loaded': [
    'invalid_program',
    'await new Promise(() => {}); export const functions = {}'
  ],
  'Map that grows': [MEMORY, 'const m = new Map(); for (let n = 0; ; n++) m.set(n, { n })'],
  'giant array': [MEMORY, 'const all = []; for (;;) all.push(new Array(1e7).fill(1.5))'],
  'giant buffers': [
    /^(?:app_error|memory_exceeded|sandbox_lost|cpu_exceeded)$/,
    'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'
  ],
  'join and split': [
    /^(?:app_error|memory_exceeded|sandbox_lost|cpu_exceeded)$/,
    'let s = "x".repeat(1e6); for (;;) s = s.split("").join("xx")'
  ],
  'strings that double': [
    /^(?:app_error|memory_exceeded|sandbox_lost|cpu_exceeded)$/,
    'let s = "x"; for (;;) { s += s; s.charCodeAt(s.length / 2); s.replace(/y/g, "") }'
  ],
  'deep recursion': ['app_error', 'const f = () => f() + 1; return f()'],
  'deep result': ['app_error', 'let v = 1; for (let n = 0; n < 1_000; n++) v = [v]; return v'],
  'flood of calls': [
    'too_many_pending',
    'for (let n = 0; n < 1e3; n++) context.call("x", n); await new Promise(() => {})'
  ],
  'large result': ['message_too_large', 'return "x".repeat(2e6)'],
  'large parameters': ['message_too_large', 'await context.call("x", "x".repeat(2e6))'],
  'large input': ['message_too_large', 'return 1', { input: 'x'.repeat(2_000_000) }],
  'flood of timers': ['app_error', 'for (let n = 0; ; n++) setTimeout(() => 0, 1e6)'],
  'timers without an end': [
    /^(?:time|cpu)_exceeded$/,
    'for (let n = 0; n < 900; n++) setInterval(() => 0, 0); await new Promise(() => {})',
    { limits: { wallMs: 500 } }
  ]
}
for (const [name, [code, body, call]] of Object.entries(attacks))
  t.test(name, async (t) => {
    const answer = await attack(t, body, call)
    t.match('error' in answer ? answer.error.code : outcome(answer), code)
  })

t.test('loop after the end of a call', async (t) => {
  const { go } = await shared
  const body = `
    if (input === 'leave') setTimeout(() => { for (;;); }, 0)
    if (input === 'wait') await new Promise((resolve) => setTimeout(resolve, 200))
    return input`
  const asked = { group: 'eve', name: 'afterwards' }
  t.equal(outcome(await go(body, { ...asked, input: 'leave' })), 'leave')
  // The timer stood still, goes on with the next call, and takes that with it; the one after it has the program anew.
  t.match(await go(body, { ...asked, input: 'wait' }), { error: { code: 'cpu_exceeded' } })
  t.equal(outcome(await go(body, { ...asked, input: 'wait' })), 'wait')
})

t.test('large answer of the host, and one that cannot be sent', async (t) => {
  const body = 'return context.call("x").catch(({ code }) => code)'
  t.equal(
    outcome(await attack(t, body, { host: async () => ({ data: 'x'.repeat(2_000_000) }) })),
    'message_too_large'
  )
})

t.test('flood of the log', async (t) => {
  const lines: string[] = []
  const body =
    'for (let n = 0; n < 2e4; n++) console.log(n, "x".repeat(100)); console.error("x".repeat(1e6)); return 1'
  const answer = await attack(t, body, { log: (_level, text) => lines.push(text) })
  t.equal(outcome(answer), 1)
  t.equal(lines.length, 21)
  t.match(lines.at(-1), /dropped/)
  const cut: string[] = []
  await attack(t, 'console.log("x".repeat(1e6))', { log: (_level, text) => cut.push(text) })
  t.ok(cut.every((text) => text.length <= 4_096))
})

t.test('memory of WebAssembly, and threads', async (t) => {
  const body =
    'return [typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics, typeof Worker, typeof require]'
  t.same(outcome(await attack(t, body)), Array(5).fill('undefined'))
})

t.test('__proto__ in what it sends', async (t) => {
  const seen: unknown[] = []
  const host: SandboxCall['host'] = async (_method, params) => {
    seen.push(params)
    return { data: null }
  }
  const payload = `JSON.parse('{"a":{"__proto__":{"polluted":1}},"__proto__":{"polluted":2},"b":1}')`
  const body = `
    await context.call('x', ${payload})
    return { ...${payload}, nested: ${payload}, __proto__: null }`
  const answer = await attack(t, body, { host })
  const own = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null
      ? [...Object.getOwnPropertyNames(value), ...Object.values(value).flatMap(own)]
      : []
  for (const value of [...seen, outcome(answer)]) {
    t.notOk(own(value).includes('__proto__'))
    t.match(value, { a: {}, b: 1 })
    t.notOk('polluted' in Object.assign({}, value))
  }
  t.notOk('polluted' in {})
})

t.test('__proto__ in what it is sent', async (t) => {
  const input = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
  const body = 'return [({}).polluted, Object.getPrototypeOf(input) === Object.prototype]'
  t.same(outcome(await attack(t, body, { input })), [null, true])
})

t.test('leaks through errors', async (t) => {
  const host = () =>
    Promise.reject(Object.assign(new Error('/srv/secret'), { code: 'EACCES', path: '/srv/secret' }))
  const body = `
    const seen = []
    const note = (error) => seen.push(error.message, error.stack, Object.getOwnPropertyNames(error).join())
    await context.call('x').catch(note)
    await context.fetch('no url').catch(note)
    await crypto.subtle.digest('MD5', 'x').catch(note)
    await import('node:fs').catch(note)
    try { null.x } catch (error) { note(error) }
    try { crypto.getRandomValues(new Uint8Array(1e6)) } catch (error) { note(error) }
    for (const [level, lines] of Object.entries(console)) seen.push(String(lines))
    return seen`
  const seen = outcome(await attack(t, body, { host }))
  t.type(seen, Array)
  t.match(String(seen), 'The platform could not answer')
  t.notMatch(JSON.stringify(seen), /secret|EACCES/, 'what the host threw stays with the platform')
  for (const thrown of [
    'null',
    'undefined',
    '1n',
    'Symbol("s")',
    'new Proxy({}, { get() { throw 1 } })',
    'Object.create(null)'
  ])
    t.match(await attack(t, `throw ${thrown}`), { error: { code: 'app_error' } }, thrown)
})

t.test('messages that are forged', async (t) => {
  const { go } = await shared
  // Whatever it puts in the way of the library, it gets nothing but what it could have sent itself.
  const body = `
    const forged = ['r\\t1\\t"forged"', 'F\\t1\\t0\\t{"code":"quarantined"}', 'd\\t1\\t"x"', 'g\\t1', '!', 'k\\tx\\t{'].join('\\n')
    Array.prototype.join = () => forged
    context.call('x').catch(() => 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return 1`
  const answer = await attack(t, body, { limits: { wallMs: 500 } })
  t.match('error' in answer ? answer.error.code : outcome(answer), /^(?:time_exceeded|app_error|forged|1)$/)
  t.equal(outcome(await go('return 1', { group: 'eve', name: 'next' })), 1)
})
