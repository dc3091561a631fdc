// budget: 18 s, because processes of their own are killed
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { eventsUntil, isLast } from '../../plugins/workflows/testbed.ts'
import { rounds } from '../rounds.ts'
import { randomOf, seed } from '../seed.ts'
import type { Begun } from './scene.ts'
import { approve, scene, waitsForApproval } from './scene.ts'

t.setTimeout(rounds(300_000, 3_600_000))
const random = randomOf(seed)

const KILLS = rounds(2, 25)
const EXECUTIONS = 2
/** About as many events has an execution until it waits for its approval. */
const EVENTS = 28

t.test(
  `kill -9 in the middle of ${KILLS * EXECUTIONS} executions, tasks and beats (SEED=${seed})`,
  async (t) => {
    const place = await scene(t)
    const home = { url: place.home.url, client: place.ada }
    let next = place.another()
    const begun: Begun[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = await next
      if (kill < KILLS) next = place.another()
      await place.dueNow(victim)
      const executions: Begun[] = []
      for (let n = 0; n < EXECUTIONS; n++) {
        executions.push(await place.begin(victim))
        await delay(random(30))
      }
      const { path } = executions[0] as Begun
      const point = random(EVENTS + 6)
      const events = await eventsUntil(
        victim,
        victim.client,
        path,
        (event) => event.seq >= point || isLast(event) || waitsForApproval(event)
      )
      // What was decided is decided, however soon the instance goes.
      if (waitsForApproval(events.at(-1) as (typeof events)[number]))
        t.match(await approve(victim.client, path), { status: 200 })
      await delay(random(20))
      await victim.kill()
      begun.push(...executions)
      await place.account()
    }
    let resumed = 0
    for (const execution of begun) {
      const events = await place.finish(execution, home)
      if (events.some(({ status }) => status === 'resumed')) resumed++
    }
    t.ok(resumed > 0, `${resumed} executions were taken over`)
  }
)
