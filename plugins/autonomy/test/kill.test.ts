// budget: 12 s, because instances are killed, each a process of its own
// tier: whole
import t from 'tap'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'
import { beating, beatingPlatform, messagesOf } from './testbed.ts'

const KILLS = rounds(2, 25)
const AGENTS = 6
t.setTimeout(rounds(600_000, 3_600_000))

t.test(`kill -9 while ${AGENTS} agents beat, ${KILLS} times: every beat once, with one run`, async (t) => {
  const booted = await beatingPlatform(t)
  const { knex } = booted.platform
  const ada = booted.as('ada')
  const prompt = '/wait 2\n/repeat 30 word'
  const settings = { prompt, dailyBeats: null, dailyTokens: null }
  const hearts = await Promise.all(Array.from({ length: AGENTS }, () => beating(booted, ada, settings)))
  const packs = ['agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'autonomy']
  let next = startPlatform(t, booted.connection, [], packs)
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = startPlatform(t, booted.connection, [], packs)
    const due = await Promise.all(hearts.map(({ come }) => come()))
    // In turn: when beats are made, when some of their runs have begun, and when some of these have ended.
    const states =
      [['starting', 'running', 'completed'], ['running', 'completed'], ['completed']][kill % 3] ?? []
    const reached = () => knex('autonomy.beat').whereIn('status', states).whereIn('dueAt', due).first('id')
    await until(reached, (beat) => beat !== undefined)
    await victim.kill()
    const beats = await Promise.all(hearts.map(({ over }) => over(kill)))
    t.same(
      beats.map(([beat]) => [beat?.dueAt, beat?.status]),
      due.map((dueAt) => [dueAt, 'completed']),
      states.join()
    )
  }
  await booted.settled()
  for (const { id, beats } of hearts) {
    const all = await beats('limit=100')
    const runs = await knex('runs.run').where({ agentId: id }).orderBy('createdAt').pluck('id')
    t.same(
      all.map(({ runId }) => runId),
      runs.reverse()
    )
    const said = await messagesOf(ada, all[0]?.sessionId)
    t.equal(said.length, 2 * KILLS, 'and what was asked and said stands there once')
  }
})
