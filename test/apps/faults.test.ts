// budget: 6 s, because processes are killed and packs reloaded
import { getPriority } from 'node:os'
import { mock } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Sandbox } from '../../plugins/sandbox/contract.ts'
import { stage } from '../../plugins/ui-plugins/test/gateway/testbed.ts'

const CALLS = 200
const { booted, enable, probe } = await stage(t, {
  env: { SANDBOX_PROCESSES: '3' }
})
const [ada, eve] = [booted.as('ada'), booted.as('eve', { project: 'theirs' })]
const { admin } = booted
t.equal(
  (await admin.put('/v1/packs/ui-plugins', { settings: { callerInFlight: 1_000, appInFlight: 1_000 } }))
    .status,
  200
)
const sandbox = () => booted.platform.server.current().packs.get('sandbox')?.deps.sandboxService as Sandbox
const busy = () =>
  sandbox()
    .readings()
    .processes.filter(({ calls }) => calls > 0)
const functions = { hold: 'await context.platform.probe.act(); return input.n' }

/** Holds every call within the function until it is let go. */
function gate(count: number) {
  const [all, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reached = 0
  probe.act = async () => {
    if (++reached === count) all.resolve()
    await open.promise
    return null
  }
  return { all: all.promise, open: () => open.resolve() }
}

t.test('kill -9 in the middle of 200 calls loses only those of that process', async (t) => {
  const [one, two] = [await enable(ada, 'one-app', functions), await enable(eve, 'two-app', functions)]
  const held = gate(CALLS)
  const calls = Array.from({ length: CALLS }, (_, n) => (n % 2 ? one : two).call('hold', { n }))
  await held.all
  const processes = busy()
  t.same(
    processes.map(({ calls }) => calls),
    [CALLS / 2, CALLS / 2]
  )
  for (const { pid } of processes) t.equal(getPriority(pid), 10, 'they leave the processors to the platform')
  const victim = processes.find(({ group }) => group === 'default')
  process.kill(victim?.pid as number, 'SIGKILL')
  const lost = await Promise.all(calls.filter((_, n) => n % 2))
  for (const reply of lost) t.match(reply, { status: 502, body: { error: { code: 'sandbox_lost' } } })
  t.equal((await ada.get('/v1/agents')).status, 200)
  held.open()
  for (const [n, reply] of (await Promise.all(calls)).entries())
    if (n % 2 === 0) t.match(reply, { status: 200, body: { data: n } })
  probe.act = async () => null
  t.match(
    await one.call('hold', { n: 7 }),
    { status: 200, body: { data: 7 } },
    'and goes on in another process'
  )
})

for (const name of ['sandbox', 'ui-plugins', 'probe'])
  t.test(`${name} is reloaded while 200 calls run: none is lost`, async (t) => {
    const app = await enable(ada, `reload-${name}`, functions)
    const held = gate(CALLS)
    const calls = Array.from({ length: CALLS }, (_, n) => app.call('hold', { n }))
    await held.all
    const reloading = admin.post(`/v1/packs/${name}/reload`)
    // Some come while it is reloaded.
    const later = Array.from({ length: 20 }, async (_, n) => {
      await delay(n * 5)
      return app.call('hold', { n })
    })
    await delay(50)
    held.open()
    t.equal((await reloading).status, 200)
    for (const [n, reply] of (await Promise.all(calls)).entries())
      t.match(reply, { status: 200, body: { data: n } })
    for (const [n, reply] of (await Promise.all(later)).entries())
      t.match(reply, { status: 200, body: { data: n } })
  })

t.test('an app that keeps killing its process is quarantined, shown so, and recovers', async (t) => {
  const app = await enable(ada, 'kills-app', functions)
  const other = await enable(ada, 'good-app', functions)
  // It would be over after ten seconds, which a busy machine may need for what follows.
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  probe.act = async () => {
    for (const { pid } of busy()) process.kill(pid, 'SIGKILL')
    return new Promise(() => undefined)
  }
  for (let n = 0; n < 3; n++)
    t.match(await app.call('hold', { n }), { status: 502, body: { error: { code: 'sandbox_lost' } } })
  probe.act = async () => null
  const refused = await app.call('hold', { n: 1 })
  t.match(refused, { status: 503, body: { error: { code: 'quarantined' } } })
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  const healthOf = async (id: string) =>
    (await ada.get('/v1/ui-plugins?limit=100')).body.data.find(
      (it: { pluginId: string }) => it.pluginId === id
    ).health
  t.match(await healthOf('kills-app'), { state: 'quarantined', losses: 3, reason: String, until: /^20/ })
  t.match(await healthOf('good-app'), { state: 'healthy' })
  t.match(await other.call('hold', { n: 2 }), { status: 200, body: { data: 2 } })
  t.equal((await admin.post('/v1/packs/sandbox/reload')).status, 200)
  t.match(await healthOf('kills-app'), { state: 'quarantined' }, 'a reload is no way out')
  await ada.delete(app.at)
  const again = await enable(ada, 'kills-app', functions)
  t.match(
    await healthOf('kills-app'),
    { state: 'quarantined' },
    'nor is to delete it, and to register it again'
  )
  t.match(await again.call('hold', { n: 1 }), { status: 503, body: { error: { code: 'quarantined' } } })
  const theirs = await enable(eve, 'kills-app', functions)
  t.match(
    await theirs.call('hold', { n: 4 }),
    { status: 200, body: { data: 4 } },
    'others are not blamed for it'
  )
  sandbox().reset(JSON.stringify(['default', 'ada', 'kills-app']))
  t.match(await again.call('hold', { n: 3 }), { status: 200, body: { data: 3 } })
  t.match(await healthOf('kills-app'), { state: 'healthy' })
})
