// budget: 8 s, because instances are killed, each a process of its own
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { service, signedWebhook } from './testbed.ts'

const KILLS = rounds(2, 20)
const MESSAGES = 12
const packs = ['access', 'agents', 'channels', 'jobs', 'models', 'outgoing', 'runs', 'sessions']
const env = { OUTGOING_ALLOW: '127.0.0.0/8' }
t.setTimeout(rounds(300_000, 3_600_000))

t.test(`kill -9 while messages are answered, ${KILLS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const theirs = await service(t, () => ({}))
  const { as, connection, platform } = await boot(t, 'channels', { packs, env })
  const ada = as('ada')
  const agent = await ada.agent({ modelProvider: 'local' })
  const at = `/v1/agents/${agent.id}/runtime/channels/webhook/connect`
  const { secret, address } = (await ada.post(at, { url: `${theirs.url}/in` })).body.data
  const path = new URL(address).pathname
  const said: string[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await startPlatform(t, connection, [], packs, env)
    await victim.ready
    const anyone = createClient(victim.url, 'the service')
    for (let number = 0; number < MESSAGES; number++) {
      const id = `k${kill}-${number}`
      const body = JSON.stringify({ conversation: `c${number % 3}`, text: `/say ${id}` })
      const headers = { 'content-type': 'application/json', ...signedWebhook(secret, id, body) }
      const { status } = await anyone.request('POST', path, { body, headers })
      t.equal(status, 200)
      said.push(id)
    }
    await delay(random(300))
    await victim.kill()
  }
  await until(
    () => platform.knex('channels.message').whereNot({ status: 'done' }).count(),
    ([row]) => Number(row?.count) === 0
  )
  // The word of the service may have been lost with an instance: then the same comes again, under the same id.
  const byId = new Map(theirs.asked.map(({ headers, body }) => [headers['webhook-id'], body.text as string]))
  t.same([...byId.values()].sort(), said.toSorted(), 'each is answered, and once')
  for (const conversation of ['c0', 'c1', 'c2']) {
    const mine = said.filter((id) => `c${Number(id.split('-')[1]) % 3}` === conversation)
    const told = [...byId.values()].filter((id) => mine.includes(id))
    t.same(told, mine, `${conversation} in order`)
  }
  t.equal((await platform.knex('runs.run').where({ agentId: agent.id })).length, said.length, 'a run each')
})
