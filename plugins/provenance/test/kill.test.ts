// budget: 15 s, because instances are killed, each a process of its own
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { got } from './testbed.ts'

const KILLS = rounds(1, 20)
const RUNS = 12
t.setTimeout(rounds(180_000, 1_800_000))
const packs = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'runs', 'provenance']
const quick = { pollSeconds: 0.1, cronSeconds: 1, lostAfterSeconds: 3, drainSeconds: 1 }
const deployment = {
  enabled: false,
  packs: {
    ...Object.fromEntries(packs.map((name) => [name, { enabled: true }])),
    jobs: { enabled: true, settings: quick }
  }
}

t.test(
  `kill -9 while ends of runs are being recorded, ${KILLS} times: each trace is there once`,
  async (t) => {
    const booted = await boot(t, { packs: [...packs, 'jobs'], deployment })
    const { knex } = booted.platform
    const ada = booted.as('ada')
    const agents: string[] = []
    const ended = () => knex('runs.run').whereNotNull('endedAt').pluck('id')
    const traces = () => knex('provenance.trace').pluck('id')
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = await startPlatform(t, booted.connection, [], [...packs, 'jobs'])
      await victim.ready
      const there = createClient(victim.url, 'ada', await ada.key())
      const before = (await traces()).length
      // One agent may not run so often in a minute.
      const { id: agentId } = await ada.agent({ modelProvider: 'local' })
      agents.push(agentId)
      // No trace can be written from here on, so that facts wait that were recorded.
      const lock = await knex.transaction()
      await lock.raw('lock table provenance.trace in share mode')
      const ask = (n: number) =>
        there.post('/v1/agents/run', {
          agentId,
          messages: [{ role: 'user', content: `Run ${kill}.${n}` }],
          provenance: { mode: 'full' }
        })
      // A machine that is busy refuses some for a moment: what is refused has begun nothing.
      const answered = (n: number) =>
        until(
          () => ask(n),
          ({ status }) => status !== 503
        )
      const replies = await Promise.all(Array.from({ length: RUNS }, (_, n) => answered(n)))
      for (const { status, text } of replies) t.equal(status, 200, text)
      t.equal((await ended()).length, before + RUNS)
      await until(
        () => knex('pg_locks').where({ granted: false }).whereRaw(`relation = 'provenance.trace'::regclass`),
        ({ length }) => length > 0
      )
      await victim.kill()
      t.equal((await traces()).length, before, 'the facts are there, and no trace')
      await lock.rollback()
      await until(traces, ({ length }) => length >= before + RUNS)
    }
    await booted.settled()
    t.same((await traces()).sort(), (await ended()).sort(), 'one for each run')
    for (const agentId of agents) {
      const { runs } = await got(ada, `/v1/provenance/scopes/agent/${agentId}?limit=100`)
      t.equal(runs.length, RUNS)
      t.ok(
        runs.every(({ items }: { items: number }) => items === runs[0].items),
        'each as whole as the others'
      )
    }
  }
)
