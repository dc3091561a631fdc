// budget: 20 s, because instances are killed, each a process of its own
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import {
  balanceOf,
  faultsOf,
  grant,
  ledgerOf,
  local,
  make,
  openReservations,
  run,
  setPrice,
  sumOf,
  town
} from './testbed.ts'

const KILLS = rounds(2, 25)
const RUNS = 24
t.setTimeout(rounds(300_000, 3_600_000))

t.test(`kill -9 while runs are reserved for and settled, ${KILLS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const { booted, as, root, settled, platform } = await town(t)
  const { knex } = platform
  await setPrice(root, 'model', 'local/*', { output: '1000' })
  await setPrice(root, 'tool', 'calculator', { call: '0.0005' })
  const ada = as('ada')
  await grant(root, ada, '10')
  const agent = await ada.agent({ ...local, maxTokens: 200 })
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  const packs = ['agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', 'toolbox', 'credits']
  const cap = await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'total', limit: '1000' })
  let next = startPlatform(t, booted.connection, [], packs, { CREDITS_PROJECTS: 'default' })
  let sent = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = startPlatform(t, booted.connection, [], packs, { CREDITS_PROJECTS: 'default' })
    const there = createClient(victim.url, 'ada', await ada.key())
    let answered = 0
    const replies = Array.from({ length: RUNS }, async () => {
      const call = random(2) ? '\n/call calculator {"expression":"1+1"}' : ''
      await run(there, agent, `/repeat ${1 + random(60)} word\n/wait ${random(4)}${call}`).catch(
        () => undefined
      )
      answered++
    })
    sent += RUNS
    const enough = random(RUNS)
    await until(
      async () => answered,
      (n) => n >= enough
    )
    await delay(random(15))
    await victim.kill()
    await Promise.all(replies)
  }
  await until(
    async () => knex('runs.run').whereNull('endedAt'),
    ({ length }) => length === 0
  )
  await settled()
  const runs: { id: string; usage: { outputTokens: number } }[] = await knex('runs.run').select('id', 'usage')
  t.ok(runs.length > 0 && runs.length <= sent)
  for (const { id, usage } of runs) {
    const lines = await knex('credits.entry')
      .where({ runId: id })
      .whereNotNull('modelId')
      .where('amount', '<', 0)
    t.equal(lines.length, usage.outputTokens > 0 ? 1 : 0, `${id} is charged once`)
    if (lines[0]) t.equal(lines[0].amount, String(-1_000 * usage.outputTokens))
  }
  const called = await knex('kernel.fact').where({ name: 'tools.called' })
  const charged = await knex('credits.entry').where({ owner: ada.id, toolName: 'calculator' })
  t.equal(charged.length, called.length, 'each call is charged once')
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
  const { spent, reserved } = (await ada.get(`/v1/credits/caps/${cap.id}`)).body.data
  t.equal(reserved, '0')
  const { balance } = await balanceOf(ada)
  t.equal(sumOf([balance, spent]), '10', 'the cap counted what the ledger did')
  t.ok((await ledgerOf(ada)).length > 0)
})
