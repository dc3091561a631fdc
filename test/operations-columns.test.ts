// budget: 12 s, because all packs are on
// tier: whole
import type { Test } from 'tap'
import t from 'tap'
import { execute, once, workflowOf } from '../plugins/workflows/test/testbed.ts'
import { boot } from './boot.ts'

t.test('an instance keeps serving after a newer version has added a column to every table', async (t) => {
  const lines: Record<string, unknown>[] = []
  const booted = await boot(t, { log: (line) => lines.push(line) })
  const { platform, as, settled } = booted
  const ada = as('ada')
  const agent = await ada.agent({ modelProvider: 'local' })
  const steps = [{ id: 'one', type: 'agent', config: { agentId: agent.id, prompt: '/say hi' } }]
  const workflow = await workflowOf(ada, steps)
  const { token } = (await ada.post(`/v1/workflows/${workflow}/webhook-token`, {})).body.data
  const space = (await ada.post('/v1/spaces', { name: 'Hall' })).body.data.id
  const task = (await ada.post('/v1/tasks', { title: '/say Done', agentId: agent.id })).body.data.id

  let stamp = 0
  /** One of each kind of work, with several at once where an instance has connections for them. */
  async function work(t: Test) {
    const runs = await Promise.all(
      Array.from({ length: 6 }, () =>
        ada.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content: '/say hi' }] })
      )
    )
    t.same(
      new Set(runs.map(({ status, body }) => `${status} ${body.data?.status}`)),
      new Set(['200 completed'])
    )
    const executions = await Promise.all(Array.from({ length: 6 }, () => execute(ada, workflow)))
    for (const execution of executions)
      t.match(await once({ booted }, ada, execution), { status: 'completed' })
    const deliveries = await Promise.all(
      Array.from({ length: 6 }, () => ada.post(`/v1/workflows/webhooks/${token}`, {}))
    )
    for (const { status } of deliveries) t.equal(status, 202)
    t.match(await ada.post(`/v1/spaces/${space}/messages`, { content: 'hi' }), { status: 201 })
    t.match(await ada.post(`/v1/tasks/${task}/execute`), { status: 201 })
    t.match(await ada.post('/v1/memory', { agentId: agent.id, content: `Likes tea ${stamp++}` }), {
      status: 201
    })
    t.match(await ada.get('/v1/usage'), { status: 200 })
    await settled()
  }

  await work(t)
  const { rows } = await platform.knex.raw(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'pgboss') and n.nspname !~ '^pg_toast'`
  )
  t.ok(rows.length > 100)
  for (const { schema, name } of rows)
    await platform.knex.raw('alter table ??.?? add column newer jsonb', [schema, name])
  await t.test('the same work', work)
  const told = lines.filter((line) => /cached plan|0A000/.test(JSON.stringify(line)))
  t.same(told, [], 'and it tells of no failure')
})
