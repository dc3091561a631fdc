import t from 'tap'
import { packText } from '../../../test/pack-folders.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, millTown, statesOf } from './testbed.ts'

/** Notes who began a job; in a process of its own, which is to be killed, it never finishes one. */
const pit = {
  'pack.ts': packText(
    'pit',
    `requires: ['jobs'],
    contributes: {
      'jobs.worker': [{ key: 'pit.dig', make: ({ knex, instances }) => ({
        async work({ n }) {
          await knex('pit.line').insert({ n, instance: instances.id() })
          if (process.env.STAGE_CONNECTION) await new Promise(() => undefined)
        }
      }) }]
    }`
  ),
  'migrations/0001-create-line.ts': `
    export const up = (knex) => knex.raw('create table pit.line (n integer, instance integer)')
    export const down = (knex) => knex.raw('drop table pit.line')`
}

t.test('kill -9 in the middle of a job: another instance does it', async (t) => {
  const { home, folder, write, jobs } = await millTown(t)
  await write('pit', pit)
  // In the table, so that the other process has it too.
  const settings = { lostAfterSeconds: 3, pollSeconds: 0.1 }
  t.match(await home.admin.put('/v1/packs/jobs', { settings }), { status: 200 })
  await jobs.send('pit.dig', { n: 1 })
  const doomed = await startPlatform(t, home.connection, [folder], ['jobs', 'pit'])
  await doomed.ready
  const { knex } = home.platform
  const lines = () => knex('pit.line').select('n', 'instance')
  const [first] = await until(lines, ({ length }) => length > 0)
  t.same(await statesOf(home, 'pit.dig'), { active: 1 })
  await doomed.kill()
  t.match(await home.admin.put('/v1/packs/pit', { enabled: true }), { status: 200 })
  const both = await until(lines, ({ length }) => length > 1)
  await idleOf(home, 'pit.dig')
  t.same(both, [first, { n: 1, instance: home.platform.presence.id() }])
  t.not(first.instance, both[1]?.instance)
  t.same(await statesOf(home, 'pit.dig'), { completed: 1 })
})
