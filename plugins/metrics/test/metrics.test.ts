import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'

type Labels = Record<string, string>

/** The samples of a reading, by name and labels. */
async function read(client: Client) {
  const { status, text } = await client.get('/metrics')
  if (status !== 200) throw new Error(`/metrics answered ${status}`)
  const samples = new Map<string, number>()
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    const [, name = '', value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (!name || samples.has(name)) throw new Error(`Not a sample, or the second of its name: ${line}`)
    samples.set(name, Number(value))
  }
  const of = (name: string, labels: Labels = {}) => {
    const inside = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    return samples.get(inside.length > 0 ? `${name}{${inside.join(',')}}` : name)
  }
  return { text, of }
}

/** Reads until it is so: a request counts when its connection has taken the reply, which its caller may outrun. */
async function until(client: Client, holds: (reading: Awaited<ReturnType<typeof read>>) => boolean) {
  for (;;) {
    const reading = await read(client)
    if (holds(reading)) return reading
  }
}

const goals = (status: string) => ({ pack: 'goals', route: '/v1/goals/:goalId', method: 'GET', status })

t.test('requests are counted by route, and never by URL', async (t) => {
  const { as, anyone, admin } = await boot(t, 'goals', 'metrics')
  const ada = as('ada')
  await ada.get('/v1/goals/goal_secret1')
  await ada.get('/v1/goals/goal_secret2')
  await anyone.get('/v1/goals/goal_secret3')
  await anyone.get('/nowhere/secret4')
  const { text, of } = await until(
    admin,
    ({ of }) => of('http_requests_total', { pack: 'none', route: 'none', method: 'GET', status: '404' }) === 1
  )
  t.equal(of('http_requests_total', goals('404')), 2)
  t.equal(of('http_requests_total', goals('401')), 1)
  const { status: _, ...route } = goals('404')
  t.equal(of('http_request_duration_seconds_count', route), 3)
  t.equal(of('http_request_duration_seconds_bucket', { le: '+Inf', ...route }), 3)
  t.notMatch(text, /secret/)
})

t.test('the state of the platform and of the process can be read', async (t) => {
  const { admin, platform } = await boot(t, 'metrics', 'packs')
  const { of } = await read(admin)
  t.equal(of('agent_platform_info', { version: '0.0.0-test' }), 1)
  t.equal(of('agent_platform_generation'), platform.packs.readings().generation)
  t.equal(of('agent_platform_packs', { status: 'running' }), platform.states().up.length)
  t.equal(of('agent_platform_packs', { status: 'failed' }), 0)
  t.equal(of('agent_platform_http_requests_in_flight'), 1)
  t.equal(of('agent_platform_streams_open'), 0)
  t.equal(of('agent_platform_database_up'), 1)
  t.type(of('agent_platform_database_connections', { state: 'used' }), 'number')
  t.equal(of('agent_platform_database_replica_used'), undefined, 'there is none')
  t.ok((of('process_cpu_seconds_total') ?? 0) > 0)
  t.ok((of('process_resident_memory_bytes') ?? 0) > 1e7)
  t.ok((of('nodejs_heap_size_used_bytes') ?? 0) > 1e6)
  for (const name of ['lag', 'lag_p50', 'lag_p99', 'lag_max'])
    t.type(of(`nodejs_eventloop_${name}_seconds`), 'number', name)
  const reloaded = await admin.post('/v1/packs/metrics/reload')
  t.match(reloaded, { status: 200 })
  t.ok((await read(admin)).of('process_cpu_seconds_total'), 'a further version finds what is begun')
})

t.test('counters outlive changes of packs, and count once', async (t) => {
  const { anyone, admin } = await boot(t, 'goals', 'metrics', 'packs')
  await anyone.get('/v1/goals/goal_1')
  const before = await until(admin, ({ of }) => of('http_requests_total', goals('401')) === 1)
  for (const enabled of [false, true])
    t.match(await admin.put('/v1/packs/goals', { enabled }), { status: 200 })
  await anyone.get('/v1/goals/goal_2')
  const after = await until(admin, ({ of }) => (of('http_requests_total', goals('401')) ?? 0) > 1)
  t.equal(after.of('http_requests_total', goals('401')), 2)
  t.equal(after.of('agent_platform_generation'), (before.of('agent_platform_generation') ?? 0) + 2)
})

t.test('a pack that is switched off hears nothing, and begins anew', async (t) => {
  const { anyone, admin } = await boot(t, 'goals', 'metrics', 'packs')
  await anyone.get('/v1/goals/goal_1')
  await until(admin, ({ of }) => of('http_requests_total', goals('401')) === 1)
  // What counts goes when the last generation that had the pack has ended, which may be after the next one began.
  let counted: number | undefined = 1
  while (counted !== undefined) {
    t.match(await admin.put('/v1/packs/metrics', { enabled: false }), { status: 200 })
    t.match(await admin.get('/metrics'), { status: 404 })
    t.match(await admin.put('/v1/packs/metrics', { enabled: true }), { status: 200 })
    counted = (await read(admin)).of('http_requests_total', goals('401'))
  }
  await anyone.get('/v1/goals/goal_2')
  await until(admin, ({ of }) => of('http_requests_total', goals('401')) === 1)
})

const sourceOf = (name: string, read: string) => `import { definePack } from 'agent-platform'
export default definePack({
  name: '${name}', area: 'Test', summary: 'has metrics',
  contributes: { 'metrics.source': [{ make: () => ({ read: () => ${read} }) }] }
})`

t.test('packs have metrics of their own, and one that fails is no harm', async (t) => {
  const metrics = `[
    { name: 'things', help: 'Things.', type: 'gauge', samples: ['red', 'blue'].map((colour, n) => ({ labels: { colour }, value: n + 1 })) },
    { name: 'seen_total', help: 'Seen.', type: 'counter', samples: [{ value: 7 }] }
  ]`
  const twice = '[1, 2].map((value) => ({ name: "same", help: "x", type: "gauge", samples: [{ value }] }))'
  const folder = await writeFiles(await temporaryFolder(t), {
    'with-metrics/pack.ts': sourceOf('with-metrics', metrics),
    'broken/pack.ts': sourceOf('broken', '{ throw new Error("It has none") }'),
    'twice/pack.ts': sourceOf('twice', twice)
  })
  const { admin } = await boot(t, {
    packs: ['metrics', 'with-metrics', 'broken', 'twice'],
    folders: [folder]
  })
  const { text, of } = await read(admin)
  t.equal(of('agent_platform_with_metrics_things', { colour: 'red' }), 1)
  t.equal(of('agent_platform_with_metrics_things', { colour: 'blue' }), 2)
  t.equal(of('agent_platform_with_metrics_seen_total'), 7)
  t.match(text, /^# TYPE agent_platform_with_metrics_seen_total counter$/m)
  t.notMatch(text, /agent_platform_(?:broken|twice)_/)
  t.equal(of('agent_platform_database_up'), 1)
})

t.test('facts that could not be handled are counted by pack', async (t) => {
  const { admin, platform } = await boot(t, 'metrics')
  const hold = (position: number, parkedAt: string | null) =>
    platform.knex('kernel.fact_held').insert({
      pack: 'activity',
      transaction: '1',
      position,
      project: 'default',
      subject: 'goal_1',
      parkedAt
    })
  await Promise.all([hold(1, null), hold(2, null), hold(3, '2026-01-15T09:30:00Z')])
  const { of } = await read(admin)
  t.equal(of('agent_platform_facts_waiting', { pack: 'activity' }), 2)
  t.equal(of('agent_platform_facts_dead_lettered', { pack: 'activity' }), 1)
})

t.test('what the database does not tell is left out', async (t) => {
  const { admin, platform } = await boot(t, 'metrics')
  await read(admin)
  await platform.knex.raw('alter table kernel.fact_held rename to fact_gone')
  const { of, text } = await read(admin)
  t.equal(of('agent_platform_database_up'), 0)
  t.ok(of('process_cpu_seconds_total'))
  t.notMatch(text, /^agent_platform_facts_\w+\{/m)
  await platform.knex.raw('alter table kernel.fact_gone rename to fact_held')
  t.equal((await read(admin)).of('agent_platform_database_up'), 1)
})

t.test('only an operator may read', async (t) => {
  const { admin, as, anyone } = await boot(t, 'metrics')
  t.match((await admin.get('/metrics')).headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.match(await as('ada').get('/metrics'), { status: 403, body: { error: { type: 'permission_error' } } })
  t.match(await anyone.get('/metrics'), { status: 401, body: { error: { type: 'authentication_error' } } })
  t.match(await admin.get('/metrics?format=json'), { status: 400, body: { error: { param: 'format' } } })
  t.match(await admin.get('/v1/metrics'), { status: 404 })
})
