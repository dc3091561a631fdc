// budget: 12 s, because what never ends is given its time
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { stage } from '../../plugins/ui-plugins/test/gateway/testbed.ts'

const lines: unknown[] = []
const { booted, enable, probe } = await stage(t, {
  packs: ['app-storage'],
  env: {
    SANDBOX_PROCESSES: '3',
    SANDBOX_CPU_MILLISECONDS: '200',
    // Who works for long gets only what others leave, which on a busy machine is nothing for long.
    SANDBOX_BURST_MILLISECONDS: '3600000',
    SANDBOX_WALL_MILLISECONDS: '120000',
    SANDBOX_HEAP_MEGABYTES: '16'
  },
  log: (line) => lines.push(line)
})
const [ada, eve] = [booted.as('ada'), booted.as('eve', { project: 'theirs' })]
const ofThePlatform = /\/(?:tmp|home|usr|root|node_modules|plugins|kernel)\b|file:\/|node:|isolated-vm/
const GONE = /^(?:memory_exceeded|sandbox_lost|cpu_exceeded|app_error)$/
/** By the app that tries them: who is the end of three processes is quarantined. */
const attacks: Readonly<Record<string, Readonly<Record<string, readonly [string | RegExp, string]>>>> = {
  'never-app': { never: ['time_exceeded', 'await new Promise(() => {})'] },
  'spins-app': {
    endless: ['cpu_exceeded', 'for (;;);'],
    afterCall: ['cpu_exceeded', 'await context.platform.agents.list(); for (;;);'],
    promises: ['cpu_exceeded', 'for (;;) await null'],
    regex: ['cpu_exceeded', 'return /^(a+)+$/.test("a".repeat(60) + "b")'],
    getter: ['cpu_exceeded', 'throw { get message() { for (;;); } }'],
    serializes: ['cpu_exceeded', 'return { toJSON() { for (;;); } }']
  },
  'waits-app': {
    recursion: ['app_error', 'const f = () => f() + 1; return f()'],
    flood: [
      'too_many_pending',
      'for (let n = 0; n < 1e4; n++) context.platform.agents.list(); await new Promise(() => {})'
    ],
    result: ['message_too_large', 'return "x".repeat(2e6)'],
    asks: ['message_too_large', 'await context.platform.agents.list({ cursor: "x".repeat(2e6) })'],
    deep: ['app_error', 'let v = 1; for (let n = 0; n < 1_000; n++) v = [v]; return v']
  },
  'grows-app': {
    map: [GONE, 'const m = new Map(); for (let n = 0; ; n++) m.set(n, { n })'],
    arrays: [GONE, 'const all = []; for (;;) all.push(new Array(1e7).fill(1.5))']
  },
  'joins-app': {
    joins: [GONE, 'let s = "x".repeat(1e6); for (;;) s = s.split("").join("xx")'],
    buffers: [GONE, 'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))']
  }
}
/** Of those that end by the clock alone. */
const limits: Readonly<Record<string, object>> = { 'never-app': { limits: { wallMs: 1_000 } } }
const STATUS: Readonly<Record<string, number>> = {
  cpu_exceeded: 504,
  time_exceeded: 504,
  message_too_large: 413
}

t.test('the worst of apps harms nobody but itself', async (t) => {
  const bystander = await enable(eve, 'calm-app', {
    echo: 'return [input.n, (await context.platform.agents.list()).data]'
  })
  await bystander.call('echo', { n: 0 })
  for (const [id, functions] of Object.entries(attacks)) {
    const app = await enable(
      ada,
      id,
      Object.fromEntries(Object.entries(functions).map(([name, [, body]]) => [name, body])),
      limits[id]
    )
    for (const [name, [wanted]] of Object.entries(functions)) {
      let isOver = false
      const attacking = app.call(name).finally(() => {
        isOver = true
      })
      for (let n = 1; n === 1 || !isOver; n++) {
        t.match(
          await bystander.call('echo', { n }),
          { status: 200, body: { data: [n, []] } },
          `during ${name}`
        )
        t.equal((await eve.get('/v1/agents')).status, 200)
        await delay(50)
      }
      const { status, body, text } = await attacking
      t.match(body.error.code, wanted, name)
      t.equal(status, STATUS[body.error.code] ?? 502, name)
      t.notMatch(text, ofThePlatform, name)
    }
  }
  t.match((await eve.get('/v1/ui-plugins/calm-app')).body.data.health, { state: 'healthy', losses: 0 })
  t.match(await bystander.call('echo', { n: 1, more: 'x'.repeat(1_100_000) }), { status: 413 }, 'of a page')
})

t.test('what a function finds is nothing of the platform', async (t) => {
  probe.act = async () => {
    throw Object.assign(new Error('no such file /etc/secret'), { path: '/etc/secret', detail: { a: 1 } })
  }
  const app = await enable(ada, 'looks-app', {
    globals: `return ['process', 'require', 'Buffer', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'global', 'Worker']
      .map((name) => typeof globalThis[name])`,
    errors: `const seen = []
      const note = (error) => seen.push(String(error.stack), error.message, error.code, JSON.stringify(Object.entries(error)))
      for (const work of [() => context.platform.probe.act(), () => context.fetch('file:///etc/passwd'), () => import('node:fs'), () => context.call('x'), () => context.storage.get({ key: 1 }), () => null.x, () => fetch('x')])
        try { await work() } catch (error) { note(error) }
      return seen`,
    escapes: `const tries = [() => Function('return process')(), () => context.call.constructor.constructor('return process')(), () => (async () => 0).constructor('return process')(), () => context.console.log.constructor('return require')()]
      const got = []
      for (const work of tries) try { got.push(typeof (await work())) } catch (error) { got.push(error.name) }
      return got`
  })
  t.same((await app.call('globals')).body.data, Array(8).fill('undefined'))
  const { text, body } = await app.call('errors')
  t.ok(body.data.length >= 20, 'each of them failed')
  t.notMatch(text, ofThePlatform)
  t.notMatch(text, /no such|etc.secret/)
  t.same((await app.call('escapes')).body.data, Array(4).fill('ReferenceError'))
  const asked = await app.ask('probe.act')
  t.equal(asked.status, 500)
  t.notMatch(asked.text, /no such|secret/)
})

t.test('__proto__ goes nowhere, by whatever method', async (t) => {
  const storage = { keyValue: true, collections: [{ name: 'notes', scope: 'app' as const }] }
  const payload = `JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"key":"k","collection":"notes","name":"echo","url":"https://x.example/"}')`
  const app = await enable(
    ada,
    'proto-app',
    {
      echo: 'return [input, ({}).polluted]',
      tries: `const codes = []
        for (const method of input.methods) codes.push(await context.call(method, { ...${payload}, ['__proto__']: ${payload}, ...input.with }).then(() => 'done', ({ code }) => code))
        return codes`
    },
    { storage }
  )
  const methods = [
    'agents.list',
    'agents.read',
    'probe.act',
    'functions.call',
    'fetch',
    'console.log',
    'storage.get',
    'storage.set',
    'storage.insert',
    'storage.find',
    'storage.update',
    '__proto__',
    'constructor.name',
    'storage.__proto__',
    'console.constructor'
  ]
  const told = await app.call('tries', {
    methods,
    with: { document: {}, filter: {}, set: {}, id: 'x', value: 1 }
  })
  t.equal(told.status, 200)
  t.notOk(told.body.data.includes('api_error'), told.text)
  for (const method of methods) {
    const body = `{"method":"${method}","params":{"__proto__":{"polluted":1},"key":"k","document":{"__proto__":{"polluted":1}}}}`
    const reply = await ada.request('POST', `${app.at}/gateway`, {
      body,
      headers: { 'content-type': 'application/json' }
    })
    t.ok(reply.status >= 400 && reply.status < 500, `${method}: ${reply.text}`)
  }
  t.notOk('polluted' in {})
  t.same((await app.call('echo', {})).body.data, [{}, null])
})

t.test('what one app writes does not keep the lines of others from the log', async (t) => {
  const nul = String.raw`\u0000`
  const app = await enable(ada, 'poison-app', {
    writes: `console.log("a${nul}b\\ud800"); await context.call("a${nul}b.c\\udfff").catch(() => 0); throw new Error("c${nul}\\ud800")`
  })
  const other = await enable(eve, 'other-app', { writes: 'console.log("here")' })
  await app.call('writes')
  t.equal((await app.ask('x\u0000.y')).status, 400)
  t.equal((await other.call('writes')).status, 200)
  const texts = async (client: typeof ada, at: string) =>
    (await client.get(`${at}/logs`)).body.data.map(({ text }: { text: string }) => text)
  t.same(await texts(eve, other.at), ['here'])
  const own = await texts(ada, app.at)
  t.same(
    own,
    ['c\ufffd', 'Method ab.c\ufffd not found', 'ab\ufffd'],
    'without what no text of the database holds'
  )
  t.notMatch(JSON.stringify(lines), /not written down/)
})
