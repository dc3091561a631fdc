// budget: 10 s, because there are two instances
// tier: whole
// servers: PostgreSQL and Redis
import t from 'tap'
import { until } from '../packs/stage.ts'
import { scene } from './scene.ts'

const EXECUTIONS = 8

t.test('two instances share executions, and every beat and every task that is due comes once', async (t) => {
  const place = await scene(t)
  const other = await place.open(place.home)
  const home = { url: place.home.url, client: place.ada }
  const there = { url: other.url, client: other.as('ada') }
  const { release } = place.ledger.hold()
  const begun = await Promise.all(
    Array.from({ length: EXECUTIONS }, (_, n) => place.begin(n % 2 ? home : there))
  )
  const held = () => place.home.platform.knex('workflows.execution').distinct('instance').pluck('instance')
  const both = [place.home, other].map(({ platform }) => platform.presence.id())
  await until(held, (instances) => both.every((id) => instances.includes(id)))
  release()
  for (let round = 0; round < 3; round++) {
    await place.dueNow(round % 2 ? home : there)
    await place.account()
  }
  // Decided where they were not begun.
  for (const [n, execution] of begun.entries()) await place.finish(execution, n % 2 ? there : home)
})
