// budget: 8 s, because each case is a platform of its own that loses its database
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { until } from '../../../test/packs/stage.ts'
import { proxy } from '../../../test/proxy.ts'
import { beating, beatingPlatform, messagesOf } from './testbed.ts'

const AGENTS = 4

for (const how of ['cut', 'hang'] as const)
  t.test(`a database that goes (${how}) while agents beat, and comes back: every beat once`, async (t) => {
    const { connection, knex } = await database(t)
    const { host = '', port = 5432 } = connection
    const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    const booted = await beatingPlatform(t, {
      beside: { connection: { ...connection, host: way.host, port: way.port } } as Booted
    })
    const ada = booted.as('ada')
    const prompt = '/wait 10\n/repeat 40 word'
    const hearts = await Promise.all(Array.from({ length: AGENTS }, () => beating(booted, ada, { prompt })))
    const due = await Promise.all(hearts.map(({ come }) => come()))
    await until(
      () => knex('autonomy.beat').where({ status: 'running' }).first('id'),
      (beat) => beat !== undefined
    )
    const away = Promise.withResolvers<void>()
    using _ = booted.platform.presence.onChange((connected) => connected || away.resolve())
    if (how === 'cut') way.cut()
    else way.hang()
    await away.promise
    way.mend()

    const over = async () => (await knex('autonomy.beat').whereNotNull('endedAt').pluck('id')).length
    await until(over, (count) => count === AGENTS)
    const beats = await Promise.all(hearts.map(({ over }) => over(1)))
    t.match(
      beats.map(([beat]) => beat),
      due.map((dueAt) => ({ dueAt, status: 'completed' }))
    )
    await booted.settled()
    const runs: string[] = await knex('runs.run').pluck('id')
    t.same(new Set(runs), new Set(beats.map(([beat]) => beat?.runId)), 'and no run that is no beat’s')
    for (const [beat] of beats) t.equal((await messagesOf(ada, beat?.sessionId)).length, 2)
  })
