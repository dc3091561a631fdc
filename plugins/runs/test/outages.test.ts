import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { proxyOf } from '../../../test/proxy.ts'
import { listen, puppetStage, STREAM, saying, scripted } from './testbed.ts'

t.test('a run whose step cannot read goes on when the database answers again', async (t) => {
  const { connection } = await database(t)
  const { way, connection: behind } = await proxyOf(t, connection)
  const beside = { connection: behind } as Booted
  const { booted, ada, play } = await puppetStage(t, { beside })
  const agent = await ada.agent(scripted('reply=echo'))
  let times = 0
  play.step = async () => {
    if (times++ === 0) {
      way.cut()
      const read = booted.platform.knex.raw('select 1')
      await read.finally(way.mend)
    }
  }
  const stream = await listen(booted, ada, STREAM, saying(agent, 'Are you there?'))
  const events = await stream.rest()
  t.match(events.at(-1), { type: 'final', content: 'Are you there?' })
  t.same(
    events.map(({ seq }) => seq),
    events.map((_, seq) => seq)
  )
  t.ok(times > 1, 'the step was begun again')
})
