// budget: 8 s, because the database is away, and comes back
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { until } from '../../../test/packs/stage.ts'
import { proxyOf } from '../../../test/proxy.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { faultsOf, grant, local, make, openReservations, run, setPrice, sumOf, town } from './testbed.ts'

const CUTS = rounds(3, 40)
const RUNS = 12
t.setTimeout(rounds(180_000, 1_800_000))

t.test(`the database cut while runs are charged, ${CUTS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const { connection, knex } = await database(t)
  const { way, connection: behind } = await proxyOf(t, connection)
  const { booted, as, root, settled } = await town(t, { beside: { connection: behind } as Booted })
  await setPrice(root, 'model', 'local/*', { output: '1000' })
  const ada = as('ada')
  await grant(root, ada, '10')
  const agent = await ada.agent({ ...local, maxTokens: 100 })
  const cap = await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'total', limit: '1000' })
  for (let cut = 1; cut <= CUTS; cut++) {
    const replies = Array.from({ length: RUNS }, () =>
      run(ada, agent, `/repeat ${1 + random(60)} word`).catch(() => undefined)
    )
    await Promise.race(replies)
    // Until some of it is being charged, at the latest.
    await delay(random(700))
    way.cut()
    await delay(random(50))
    way.mend()
    await Promise.all(replies)
  }
  await until(
    async () => knex('runs.run').whereNull('endedAt'),
    ({ length }) => length === 0
  )
  await until(
    () => settled().then(() => openReservations(booted).catch(() => [0])),
    ({ length }) => length === 0
  )
  const runs: { id: string; usage: { outputTokens: number } }[] = await knex('runs.run').select('id', 'usage')
  t.ok(runs.length > 0)
  for (const { id, usage } of runs) {
    const amounts = await knex('credits.entry').where({ runId: id, owner: ada.id }).pluck('amount')
    t.same(
      amounts,
      usage.outputTokens > 0 ? [String(-1_000 * usage.outputTokens)] : [],
      `${id} is charged once`
    )
  }
  t.same(await faultsOf(booted), [])
  const { spent, reserved } = (await ada.get(`/v1/credits/caps/${cap.id}`)).body.data
  t.equal(reserved, '0')
  const { balance } = (await ada.get('/v1/credits/balance')).body.data
  t.equal(sumOf([balance, spent]), '10')
})
