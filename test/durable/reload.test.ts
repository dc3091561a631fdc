// budget: 10 s, because six packs are reloaded
// tier: whole
import t from 'tap'
import { eventsUntil, isLast } from '../../plugins/workflows/test/testbed.ts'
import type { Begun } from './scene.ts'
import { scene, waitsForApproval } from './scene.ts'

t.test('the packs are reloaded while executions run and wait', async (t) => {
  const place = await scene(t)
  const home = { url: place.home.url, client: place.ada }
  const { admin } = place.home
  const waiting = await place.begin(home)
  await eventsUntil(home, home.client, waiting.path, waitsForApproval)
  const begun: Begun[] = [waiting]
  await place.dueNow(home)
  for (const [index, pack] of ['workflows', 'tasks', 'jobs', 'runs', 'tools', 'autonomy'].entries()) {
    const execution = await place.begin(home)
    begun.push(execution)
    await eventsUntil(home, home.client, execution.path, (event) => event.seq >= 2 * index || isLast(event))
    t.match(await admin.post(`/v1/packs/${pack}/reload`), { status: 200 }, pack)
  }
  for (const execution of begun) {
    const events = await place.finish(execution, home)
    const pay = events.filter(({ path, status }) => path === 'pay' && status === 'completed')
    t.equal(pay.length, 1, 'nothing was cut')
  }
  await place.account()
})
