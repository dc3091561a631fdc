// tier: whole
// servers: PostgreSQL and Redis
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { rounds } from '../rounds.ts'
import { randomOf, seed } from '../seed.ts'
import { faultsOf } from './account.ts'
import { read } from './reader.ts'
import type { Begun } from './town.ts'
import { town } from './town.ts'

const KILLS = rounds(2, 25)
const RUNS = 4
t.setTimeout(rounds(600_000, 3_600_000))

t.test(`kill -9 in the middle of ${KILLS * RUNS} runs (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const place = await town(t)
  const begun: (Begun & { other: Awaited<ReturnType<typeof read>> })[] = []
  let next = place.spawn()
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await next
    // It is there already when the victim goes: some of the runs are cut twice.
    next = kill < KILLS - 1 ? place.spawn() : next
    const runs: typeof begun = []
    for (let run = 0; run < RUNS; run++) {
      const calls = [['again'], ['once', 'again'], ['once']].slice(random(2))
      const wander = random(2) === 0 ? { wander: random(10) } : {}
      const one = await place.begin(victim, place.story({ calls, ...wander }), {}, { elsewhere: place })
      const other = await read(t, place, { runId: one.id, restless: 1 + random(20) })
      runs.push({ ...one, other })
      await delay(random(40))
    }
    const point = random(25)
    await runs[0]?.reader.until(({ seq, type }) => seq >= point || type === 'final')
    await delay(random(10))
    await victim.kill()
    begun.push(...runs)
  }
  for (const run of begun) {
    t.same(await faultsOf(place, run), [], run.story.name)
    await run.other.over
    t.same(run.other.lines, run.reader.lines, 'two readers saw the same')
    const late = await read(t, place, { runId: run.id })
    await late.over
    t.same(late.lines, run.reader.lines, 'and so does who comes later')
  }
  const resumed = begun.filter(({ reader }) => reader.events.some(({ status }) => status === 'resumed'))
  t.ok(resumed.length > 0, `${resumed.length} runs were taken over`)
})
