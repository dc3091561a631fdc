// budget: 5 s, because runs and executions go on while a person is disabled
import { once } from 'node:events'
import t from 'tap'
import { startModelServer } from '../../test/model-server.ts'
import { until } from '../../test/packs/stage.ts'
import { identityOf, signedIn } from './testbed.ts'

const PACKS = ['agents', 'outgoing', 'models', 'sessions', 'runs', 'tasks', 'workflows'] as const

t.test('what goes on for a person that is disabled ends within two seconds', async (t) => {
  const held = Promise.withResolvers<void>()
  const server = await startModelServer(t, { respond: () => held.promise })
  t.teardown(() => held.resolve())
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url }
  const identity = await identityOf(t, { env }, ...PACKS)
  const { knex } = identity.platform

  /** A run that waits for its model, an execution that waits for a decision, and a task that is due later. */
  async function busy(email: string) {
    const { client, id } = await signedIn(identity, email)
    const agent = await client.agent({ modelProvider: 'openai-compatible', modelId: 'mock' })
    const asked = once(server.events, 'request')
    const stream = client
      .post('/v1/agents/run/stream', { agentId: agent.id, messages: [{ role: 'user', content: 'Hello' }] })
      .catch(() => undefined)
    await asked
    const ask = { id: 'ok', type: 'approval', config: { message: 'Well?', principals: [id] } }
    const workflow = await client.post('/v1/workflows', { name: 'Ask', definition: { steps: [ask] } })
    const execution = await client.post(`/v1/workflows/${workflow.body.data.id}/execute`, {})
    const task = await client.post('/v1/tasks', {
      title: 'Say hello',
      agentId: agent.id,
      cronExpression: '0 0 29 2 *',
      isRecurring: true
    })
    if (task.status !== 201) throw new Error(task.text)
    return { client, id, stream, execution: execution.body.data.id, task: task.body.data.id }
  }
  const runOf = (owner: string) => knex('runs.run').where({ owner }).first()
  const executionOf = (id: string) => knex('workflows.execution').where({ id }).first()
  const isEnded = (row: { endedAt: unknown }) => row.endedAt !== null

  const ada = await busy('ada@example.com')
  const bob = await busy('bob@example.com')
  await until(
    () => executionOf(ada.execution),
    (row) => row.status === 'waiting'
  )
  const begun = performance.now()
  t.match(await identity.admin.post(`/v1/people/${ada.id}/disable`), { status: 200 })
  await ada.stream
  t.match(await until(() => runOf(ada.id), isEnded), { status: 'cancelled' })
  t.match(await until(() => executionOf(ada.execution), isEnded), {
    status: 'failed',
    error: { code: 'owner_disabled' }
  })
  t.ok(performance.now() - begun < 2_000, 'within two seconds')

  const at = knex.raw("date_trunc('second', now()) - interval '1 minute'")
  await knex('tasks.task').where({ id: ada.task }).update({ nextRunAt: at })
  await knex('jobs.schedule').where({ id: ada.task }).update({ nextAt: at })
  const refused = await until(
    () => knex('tasks.run').where({ taskId: ada.task }).first(),
    (row) => row !== undefined && isEnded(row)
  )
  t.match(refused, { status: 'failed', startedAt: null, error: { code: 'owner_disabled' } })
  t.equal((await knex('runs.run').where({ owner: ada.id })).length, 1, 'and nothing begins')
  t.match(await runOf(bob.id), { endedAt: null }, 'of others everything goes on')
  t.match(await executionOf(bob.execution), { endedAt: null })
  held.resolve()
  t.match(await until(() => runOf(bob.id), isEnded), { status: 'completed' })
})
