// budget: 6 s, because runs and executions go on while a person is disabled, and a project closed
import { once } from 'node:events'
import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { createClient } from '../../../test/client.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { until } from '../../../test/packs/stage.ts'
import { clientOf, identityOf, signedIn, tokensOf } from './testbed.ts'

const PACKS = ['agents', 'outgoing', 'models', 'sessions', 'runs', 'tasks', 'workflows'] as const

t.test('what goes on for a person that is disabled ends within two seconds', async (t) => {
  const held = Promise.withResolvers<void>()
  const server = await startModelServer(t, { respond: () => held.promise })
  t.teardown(() => held.resolve())
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url }
  const identity = await identityOf(t, { env }, ...PACKS)
  const { knex } = identity.platform

  /** A run that waits for its model, an execution that waits for a decision, and a task that is due later. */
  async function busy(client: Pick<Client, 'post' | 'agent'>, id: string) {
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
    await until(
      () => executionOf(execution.body.data.id),
      (row) => row.status === 'waiting'
    )
    return { client, id, stream, execution: execution.body.data.id, task: task.body.data.id }
  }
  async function busyPerson(email: string) {
    const { client, id } = await signedIn(identity, email)
    return busy(client, id)
  }
  const runOf = (owner: string) => knex('runs.run').where({ owner }).first()
  const executionOf = (id: string) => knex('workflows.execution').where({ id }).first()
  const isEnded = (row: { endedAt: unknown }) => row.endedAt !== null

  /** What comes of a task that is due now. */
  async function dueNow(task: string) {
    const at = knex.raw("date_trunc('second', now()) - interval '1 minute'")
    await knex('tasks.task').where({ id: task }).update({ nextRunAt: at })
    await knex('jobs.schedule').where({ id: task }).update({ nextAt: at })
    return until(
      () => knex('tasks.run').where({ taskId: task }).first(),
      (row) => row !== undefined && (isEnded(row) || row.startedAt !== null)
    )
  }

  const ada = await busyPerson('ada@example.com')
  const bob = await busyPerson('bob@example.com')
  const begun = performance.now()
  t.match(await identity.admin.post(`/v1/people/${ada.id}/disable`), { status: 200 })
  await ada.stream
  t.match(await until(() => runOf(ada.id), isEnded), { status: 'cancelled' })
  t.match(await until(() => executionOf(ada.execution), isEnded), {
    status: 'failed',
    error: { code: 'owner_disabled' }
  })
  t.ok(performance.now() - begun < 2_000, 'within two seconds')

  t.match(await dueNow(ada.task), { status: 'failed', startedAt: null, error: { code: 'owner_disabled' } })
  t.equal((await knex('runs.run').where({ owner: ada.id })).length, 1, 'and nothing begins')
  t.match(await runOf(bob.id), { endedAt: null }, 'of others everything goes on')
  t.match(await executionOf(bob.execution), { endedAt: null })

  await t.test('and in a project that is closed for everybody, also for whom a service acted', async (t) => {
    const eve = await signedIn(identity, 'eve@example.com')
    const { body: made } = await eve.client.post('/v1/projects', { name: 'Closing' })
    const project: string = made.data.id
    const within = clientOf(identity, await tokensOf(identity, 'eve@example.com', { project }))
    const own = `/v1/projects/${project}`
    const key = await eve.client.post(`${own}/keys`, { name: 'crm', type: 'service' })
    const crm = createClient(identity.url, 'crm', key.body.data.key as string)
    const acting = { 'x-initiator': 'customer-7' }
    const customer: Pick<Client, 'post' | 'agent'> = {
      post: (path, body) => crm.post(path, body, acting),
      agent: async (fields) => (await customer.post('/v1/agents', { name: 'Mine', ...fields })).body.data
    }
    const hers = await busy(within, eve.id)
    const theirs = await busy(customer, 'customer-7')
    const hook = { steps: [{ id: 'a', type: 'wait', config: { seconds: 1 } }] }
    const workflow = await customer.post('/v1/workflows', { name: 'Hook', definition: hook })
    const webhook = await customer.post(`/v1/workflows/${workflow.body.data.id}/webhook-token`, {})
    const deliver = () => identity.anyone.post(`/v1/workflows/webhooks/${webhook.body.data.token}`, {})
    t.match(await deliver(), { status: 202 })
    const begun = performance.now()
    t.match(await eve.client.delete(own), { status: 200 })
    await Promise.all([hers.stream, theirs.stream])
    for (const { id, execution } of [hers, theirs]) {
      const run = () => knex('runs.run').where({ owner: id, project }).first()
      t.match(await until(run, isEnded), { status: 'cancelled' }, id)
      const ended = await until(() => executionOf(execution), isEnded)
      t.match(ended, { status: 'failed', error: { code: 'owner_disabled' } }, id)
    }
    t.ok(performance.now() - begun < 2_000, 'within two seconds')
    for (const { task } of [hers, theirs])
      t.match(await dueNow(task), { status: 'failed', startedAt: null, error: { code: 'owner_disabled' } })
    t.match(await deliver(), { status: 404 })
    t.equal((await knex('runs.run').where({ project })).length, 2, 'and nothing begins')
    t.match(await runOf(bob.id), { endedAt: null }, 'in other projects everything goes on')
  })
  held.resolve()
  t.match(await until(() => runOf(bob.id), isEnded), { status: 'completed' })
})
