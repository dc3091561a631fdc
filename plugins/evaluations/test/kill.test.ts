// budget: 8 s, because an instance is killed, which is a process of its own
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { randomOf, seed } from '../../../test/seed.ts'

const ITEMS = 24
t.setTimeout(300_000)

t.test(
  `kill -9 in the middle of an experiment: each item is asked and scored once (SEED=${seed})`,
  async (t) => {
    const random = randomOf(seed)
    const packs = [
      'access',
      'agents',
      'evaluations',
      'jobs',
      'models',
      'outgoing',
      'packs',
      'runs',
      'sessions'
    ]
    const { as, connection, platform } = await boot(t, 'evaluations', { packs })
    const ada = as('ada')
    const victim = await startPlatform(t, connection, [], packs)
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())
    const agent = await there.agent({ modelProvider: 'local' })
    const dataset = (await there.post('/v1/evaluations/datasets', { name: 'Numbers' })).body.data
    const items = Array.from({ length: ITEMS }, (_, number) => ({
      input: `/wait 20\n/say number ${number}`,
      expected: `number ${number}`
    }))
    t.equal((await there.post(`/v1/evaluations/datasets/${dataset.id}/items`, { items })).status, 201)
    const order = { datasetId: dataset.id, agentId: agent.id, name: 'Cut', scorers: [{ type: 'exact' }] }
    const { id } = (await there.post('/v1/evaluations/experiments', order)).body.data
    await until(
      () => platform.knex('runs.run').where({ agentId: agent.id }),
      ({ length }) => length >= 3
    )
    await delay(random(100))
    await victim.kill()
    const ended = await until(
      async () => (await ada.get(`/v1/evaluations/experiments/${id}`)).body.data,
      ({ status }) => status !== 'running' && status !== 'queued'
    )
    t.match(ended, { status: 'completed' })
    const results = (await ada.get(`/v1/evaluations/experiments/${id}/results?limit=100`)).body.data
    t.equal(results.length, ITEMS)
    t.equal(new Set(results.map(({ itemId }: { itemId: string }) => itemId)).size, ITEMS, 'each item once')
    for (const { scores } of results) t.match(scores, [{ score: 1 }])
    t.equal((await platform.knex('runs.run').where({ agentId: agent.id })).length, ITEMS, 'and by one run')
  }
)
