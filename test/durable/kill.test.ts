// budget: 18 s, because processes of their own are killed
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { eventsUntil, isLast } from '../../plugins/workflows/test/testbed.ts'
import { rounds } from '../rounds.ts'
import { randomOf, seed } from '../seed.ts'
import { beforeItsLook } from './look.ts'
import type { Begun } from './scene.ts'
import { approve, scene, waitsForApproval } from './scene.ts'

t.setTimeout(rounds(600_000, 3_600_000))
const random = randomOf(seed)

const KILLS = rounds(3, 25)
const EXECUTIONS = 2
/** About as many events has an execution until it waits for its approval. */
const EVENTS = 36

t.test(
  `kill -9 in the middle of ${KILLS * (EXECUTIONS + 1)} executions, tasks and beats (SEED=${seed})`,
  async (t) => {
    const place = await scene(t)
    const home = { url: place.home.url, client: place.ada }
    let next = place.another()
    const begun: Begun[] = []
    const cut: Begun[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = await next
      if (kill < KILLS) next = place.another()
      await place.dueNow(victim)
      // A call of its is under way, whatever becomes of the others.
      const service = random(2) === 0 ? '/orders' : '/payments'
      const book = `book ${begun.length}`
      const call = place.ledger.hold((path, what) => path === service && what === book)
      const held = await place.begin(victim)
      await call.asked
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
      const look = kill % 2 === 0 ? await beforeItsLook(t, place, victim) : undefined
      await victim.kill()
      call.release()
      await look?.finish()
      begun.push(held, ...executions)
      cut.push(held)
      await place.account()
    }
    for (const execution of begun) {
      const events = await place.finish(execution, home)
      if (cut.includes(execution))
        t.ok(
          events.some(({ status }) => status === 'resumed'),
          `${execution.path} was taken over`
        )
    }
  }
)
