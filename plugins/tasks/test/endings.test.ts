// budget: 6 s, because fifty runs and executions go on at once
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { watchTransactions } from '../../../test/statements.ts'
import { local, makeTask, town } from './testbed.ts'

const COUNT = 16
const { as, settled, platform } = await town(t, {}, ['tools', 'workflows'])
const { knex } = platform
const ada = as('ada')
const agent = await ada.agent(local)
const steps = [
  { id: 'ok', type: 'approval', config: { message: 'Well?' } },
  { id: 'made', type: 'transform', dependsOn: ['ok'], config: { value: '{{ input.n * 2 }}' } }
]
const { body } = await ada.post('/v1/workflows', { name: 'Flow', definition: { steps } })
const workflowId: string = body.data.id
const execution = { executionMode: 'workflow', workflowId }

/** Tasks, so many of each kind, whose runs and executions have ended. */
async function executeAll(): Promise<readonly string[]> {
  const ids: string[] = []
  for (let n = 0; n < COUNT; n++)
    for (const fields of [
      { agentId: agent.id, title: `/say ${n}` },
      { ...execution, input: { n } },
      { ...execution, input: { n: 'two' }, retry: { attempts: 2, backoffSeconds: 86_400 } }
    ])
      ids.push((await makeTask(ada, fields)).id)
  for (const id of ids) await ada.post(`/v1/tasks/${id}/execute`)
  const waiting = await until(
    () => knex('workflows.execution').where({ workflowId, status: 'waiting' }).pluck('id'),
    ({ length }) => length === 2 * COUNT
  )
  for (const id of waiting) await ada.post(`/v1/workflows/${workflowId}/executions/${id}/approve`, {})
  const ends = ['runs.completed', 'workflows.completed', 'workflows.failed']
  await until(
    () => knex('kernel.fact').whereIn('name', ends).pluck('id'),
    ({ length }) => length === ids.length
  )
  return ids
}

t.test('many that end at once need one connection, and a statement for all of them', async (t) => {
  // What is recorded cannot be read while an older transaction is open.
  const older = await knex.transaction()
  await older.raw('select pg_current_xact_id()')
  const ids = await executeAll()
  const { client } = knex
  const others = Array.from({ length: client.pool.max - 2 }, () => client.acquireConnection())
  const taken = await Promise.all(others)
  const transactions = watchTransactions(t)
  await older.commit()
  await settled()
  for (const connection of taken) await client.releaseConnection(connection)

  const statuses = await knex('tasks.run').whereIn('taskId', ids).pluck('status')
  t.equal(statuses.filter((status) => status === 'completed').length, 2 * COUNT)
  t.equal(statuses.filter((status) => status === 'queued').length, COUNT, 'to be tried again')
  const delivered = transactions().filter(
    ({ texts, values }) =>
      values.includes('tasks') && texts.some((text) => text.includes('kernel.fact_cursor'))
  )
  const statements = delivered.flatMap(({ texts }) => texts)
  const about = (word: string) => statements.filter((text) => text.includes(word)).length
  t.comment(`${statements.length} statements in ${delivered.length} transactions for ${ids.length} endings`)
  t.ok(about('update tasks.run') > 0, 'it was them that were counted')
  t.ok(statements.length < ids.length, `${statements.length} statements for ${ids.length} endings`)
})
