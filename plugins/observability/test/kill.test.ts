// budget: 20 s, because instances are killed, each a process of its own
// tier: whole
import t from 'tap'
import { chainFaults } from '../../../cli/audit/verify.ts'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { got, local, run } from './testbed.ts'

const KILLS = rounds(2, 25)
const RUNS = 16
t.setTimeout(rounds(300_000, 3_600_000))
const packs = [
  'agents',
  'outgoing',
  'models',
  'sessions',
  'jobs',
  'runs',
  'tools',
  'toolbox',
  'observability'
]

t.test(`kill -9 while usage is counted on two instances, ${KILLS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const booted = await boot(t, 'observability', 'models', 'tools', 'toolbox', 'packs')
  const { as, admin, settled, platform } = booted
  const { knex } = platform
  const ada = as('ada')
  const agent = await ada.agent(local)
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await startPlatform(t, booted.connection, [], packs)
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())
    let answered = 0
    const replies = Array.from({ length: RUNS }, async () => {
      const call = random(2) ? '\n/call calculator {"expression":"1+1"}' : ''
      await run(there, agent, `/repeat ${1 + random(20)} word${call}`).catch(() => undefined)
      answered++
    })
    const enough = 1 + random(RUNS - 1)
    await until(
      async () => answered,
      (n) => n >= enough
    )
    await victim.kill()
    await Promise.all(replies)
  }
  await until(
    async () => knex('runs.run').whereNull('endedAt'),
    ({ length }) => length === 0
  )
  await settled()
  const runs: { usage: { inputTokens: number; outputTokens: number } }[] =
    await knex('runs.run').select('usage')
  const sum = (of: 'inputTokens' | 'outputTokens') => runs.reduce((total, { usage }) => total + usage[of], 0)
  const { total, items } = await got(ada, `/v1/usage/agents/${agent.id}?groupBy=session&interval=all`)
  t.equal(total.inputTokens, sum('inputTokens'), 'single calls are what runs say')
  t.equal(total.outputTokens, sum('outputTokens'))
  t.ok(items.length > 0)
  const today = new Date().toISOString().slice(0, 8)
  const days = `from=${today}01T00:00:00Z&to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`
  t.same((await got(ada, `/v1/usage/agents/${agent.id}?${days}`)).total, total, 'and so are sums of days')
  const called = await knex('kernel.fact').where({ name: 'tools.called' })
  t.equal(total.toolCalls, called.length)
  const ended = await knex('observability.event').whereIn('type', [
    'runs.completed',
    'runs.failed',
    'runs.cancelled'
  ])
  t.equal(ended.length, runs.length, 'each end is told once')
  const entries = (await admin.get('/v1/audit?limit=100')).body.data.toReversed()
  t.same(chainFaults(entries), [])
})
