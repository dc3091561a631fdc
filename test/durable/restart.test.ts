// budget: 15 s, because a database server of its own is made and restarted
// tier: whole
import { join } from 'node:path'
import t from 'tap'
import { eventsUntil, isLast } from '../../plugins/workflows/test/testbed.ts'
import type { Booted } from '../boot.ts'
import { folderFor, pidOf, start } from '../embedded.ts'
import { until } from '../packs/stage.ts'
import { scene, waitsForApproval } from './scene.ts'

t.test('PostgreSQL is restarted in the middle, and falls in the middle', async (t) => {
  const server = await start(t, join(folderFor(t), 'data'))
  const place = await scene(t, { connection: server.connection } as Booted)
  const home = { url: place.home.url, client: place.ada }
  const { presence } = place.home.platform
  // It ends every session and stops; it leaves at once, and recovers.
  for (const [signal, seq] of [
    ['SIGINT', 5],
    ['SIGQUIT', 12]
  ] as const) {
    await place.dueNow(home)
    const executions = [await place.begin(home), await place.begin(home), await place.begin(home)]
    const [first] = executions as [(typeof executions)[number]]
    await eventsUntil(
      home,
      home.client,
      first.path,
      (event) => event.seq >= seq || isLast(event) || waitsForApproval(event)
    )
    const away = Promise.withResolvers<void>()
    using _ = presence.onChange((connected) => connected || away.resolve())
    const before = pidOf(server.where)
    process.kill(before, signal)
    await away.promise
    await until(
      async () => presence.connected,
      (connected) => connected
    )
    t.not(pidOf(server.where), before, `another server after ${signal}`)
    for (const execution of executions) await place.finish(execution, home)
    await place.account()
  }
})
