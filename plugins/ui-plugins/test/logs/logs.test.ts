import t from 'tap'
import { refuses, stage } from '../gateway/testbed.ts'

const { booted, probe, enable } = await stage(t)
const { as, admin, anyone, settled, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]
const set = async (settings: object) => {
  const { status, text } = await admin.put('/v1/packs/ui-plugins', { settings })
  if (status !== 200) throw new Error(text)
}
const linesOf = async (at: string, query = 'limit=100') => (await ada.get(`${at}/logs?${query}`)).body.data

t.test('an app’s log tells what it wrote, was refused and failed at', async (t) => {
  const app = await enable(
    ada,
    'logging',
    {
      talks: 'console.warn("from", { a: 1 }); context.console.error("worse\\u0000"); return 1',
      fails: 'throw new Error("no such town")',
      asks: 'await context.platform.agents.create().catch(() => undefined)'
    },
    { audience: 'project' }
  )
  await app.ask('console.log', { text: 'hello' })
  await app.call('talks', {}, eve)
  await app.call('fails')
  await app.call('asks')
  await app.ask('agents.read', { agentId: 7 })
  probe.act = async () => {
    throw new Error('select * from secrets')
  }
  await app.ask('probe.act')
  const lines = (await linesOf(app.at)).reverse()
  const one = (level: string, kind: string, source: string, more: object) => ({
    level,
    kind,
    source,
    version: '1.0.0',
    ...more
  })
  t.match(lines, [
    one('info', 'console', 'page', { text: 'hello', callerId: 'ada', function: null }),
    one('warn', 'console', 'function', { text: 'from {"a":1}', callerId: 'eve', function: 'talks' }),
    one('error', 'console', 'function', { text: 'worse', function: 'talks' }),
    one('error', 'fault', 'function', { function: 'fails', code: 'app_error', text: 'no such town' }),
    one('warn', 'refusal', 'function', { method: 'agents.create', code: 'not_found', function: 'asks' }),
    one('warn', 'refusal', 'page', { method: 'agents.read', code: 'invalid_request_error' }),
    one('error', 'fault', 'page', {
      method: 'probe.act',
      code: 'api_error',
      text: 'Something went wrong on our side'
    })
  ])
  t.equal(lines.length, 7)
  t.same((await linesOf(app.at, 'level=error')).length, 3)
  t.same(await linesOf(app.at, `since=${encodeURIComponent('2999-01-01T00:00:00Z')}`), [])
  t.same((await linesOf(app.at, `since=${encodeURIComponent(lines[6].at)}`))[0].id, lines[6].id)
  const { body } = await ada.get(`${app.at}/logs?limit=4`)
  const rest = await ada.get(`${app.at}/logs?limit=4&cursor=${body.nextCursor}`)
  t.same([body.data.length, rest.body.data.length, rest.body.nextCursor], [4, 3, null])

  for (const path of ['logs', 'usage']) {
    t.match(await eve.get(`${app.at}/${path}`), refuses(403, 'not_owner'), 'not for who only uses it')
    t.match(await anyone.get(`${app.at}/${path}`), refuses(401))
    t.match(await ada.get(`/v1/ui-plugins/unheard-of/${path}`), refuses(404))
    t.match(await ada.get(`${app.at}/${path}?cursor=made-up`), refuses(400, undefined, 'cursor'))
    t.equal((await admin.get(`${app.at}/${path}`)).status, 200)
  }
  t.match(await ada.get(`${app.at}/logs?level=loud`), refuses(400, undefined, 'level'))
  t.match(await ada.get(`${app.at}/logs?since=yesterday`), refuses(400, undefined, 'since'))
  t.match(await app.ask('console.clear', { text: '' }), refuses(404))
  t.match(await app.ask('console.log', { text: 7 }), refuses(400, undefined, '/params/text'))
})

t.test('the oldest lines go, and so do those that are too many', async (t) => {
  await set({ logRows: 10, logLinesPerMinute: 25 })
  const app = await enable(ada, 'loud', {
    shouts: 'for (let i = 0; i < 40; i++) console.log(input.from + i)'
  })
  await app.call('shouts', { from: 0 })
  const lines = await linesOf(app.at)
  t.equal(lines[0].text, '24', 'no more than may be in a minute')
  t.equal(lines.length, 10, 'the newest are kept')
  await set({ logRows: 5_000, logLinesPerMinute: 1_200 })
})

t.test('what an app uses up is counted, and told by whom', async (t) => {
  const app = await enable(
    ada,
    'counted',
    {
      works:
        'let n = 0; for (let i = 0; i < 2e6; i++) n += i; await context.platform.agents.list(); return "x".repeat(1000)'
    },
    { audience: 'project' }
  )
  await app.call('works')
  await app.call('works', {}, eve)
  const { body } = await ada.get(`${app.at}/usage`)
  t.match(body, {
    data: [{ day: /^\d{4}-\d\d-\d\d$/, calls: 4, functionCalls: 2, egressCalls: 0 }],
    nextCursor: null
  })
  t.ok(body.data[0].cpuMs > 0)
  t.ok(body.data[0].characters > 2_000)
  await app.call('works', {}, eve)
  t.equal((await ada.get(`${app.at}/usage`)).body.data[0].calls, 6, 'added to what is there')

  const facts = await platform.knex('kernel.fact').where({ name: 'ui-plugins.metered', subject: app.id })
  t.same([...new Set(facts.map(({ owner }: { owner: string }) => owner))].sort(), ['ada', 'eve'])
  const meters = facts
    .filter(({ owner }: { owner: string }) => owner === 'eve')
    .flatMap(({ usage }: { usage: { meter: string; quantity: string }[] }) => usage)
    .filter(({ meter }: { meter: string }) => meter === 'app.functionCalls')
  t.equal(
    meters.reduce((sum: number, { quantity }: { quantity: string }) => sum + Number(quantity), 0),
    2
  )

  await ada.delete(app.at)
  await settled()
  for (const table of ['app_log', 'app_usage'])
    t.same(
      await platform.knex(`ui_plugins.${table}`).where({ appId: app.id }),
      [],
      `${table} goes with the app`
    )
})

t.test('an app has so many calls a minute, at a time, and a day', async (t) => {
  await set({ appCallsPerMinute: 5, callerCallsPerMinute: 3 })
  const app = await enable(ada, 'limited', {}, { audience: 'project' })
  const statuses = async (by = ada) => {
    const all = []
    for (let i = 0; i < 4; i++) all.push((await app.ask('agents.list', {}, by)).status)
    return all
  }
  t.same(await statuses(), [200, 200, 200, 429])
  t.same(await statuses(eve), [200, 429, 429, 429], 'all callers together')
  t.match((await linesOf(app.at))[0], { kind: 'refusal', code: 'rate_limit_error' })

  await set({ appCallsPerMinute: 60_000, callerCallsPerMinute: 12_000, callerInFlight: 1 })
  const busy = await enable(ada, 'busy', {}, { audience: 'project' })
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  probe.act = async () => {
    begun.resolve()
    await finish.promise
  }
  const first = busy.ask('probe.act')
  await begun.promise
  t.match(await busy.ask('agents.list'), refuses(429, 'too_many_calls'))
  t.match(await busy.ask('agents.list', {}, eve), { status: 200 }, 'others have their own')
  finish.resolve()
  t.equal((await first).status, 200)
  t.match(await busy.ask('agents.list'), { status: 200 })

  await set({ callerInFlight: 128, dailyCalls: 2 })
  const daily = await enable(ada, 'daily', { go: 'return 1' })
  t.match(await daily.ask('agents.list'), { status: 200 })
  t.match(await daily.call('go'), { status: 200 })
  t.match(await daily.ask('agents.list'), refuses(429, 'app_budget_exceeded'))
  t.match(await daily.call('go'), refuses(429, 'app_budget_exceeded'))
  t.equal((await ada.get(`${daily.at}/usage`)).body.data[0].calls, 2)
  t.match(await daily.call('go'), refuses(429, 'app_budget_exceeded'), 'also by what was written')
})
