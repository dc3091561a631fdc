import t from 'tap'
import { execute, once, stage, transform, workflowOf } from './testbed.ts'

const few = await stage(t, { env: { WORKFLOW_EXECUTIONS: '4' } })

t.test('a tree is cancelled by levels, within the share of its owner', async (t) => {
  const { knex } = few.booted.platform
  const gate = Promise.withResolvers<void>()
  let undoing = 0
  few.play.step = async ({ config }) => {
    if (config.n === 2) {
      undoing++
      await gate.promise
    }
    return { output: null }
  }
  const inner = await workflowOf(few.ada, [
    { id: 'pay', type: 'once', config: { n: 1 }, compensation: { type: 'once', config: { n: 2 } } },
    { id: 'ok', type: 'approval', dependsOn: ['pay'], config: { message: 'Well?' } }
  ])
  const nested = { id: 'one', type: 'workflow', config: { workflowId: inner } }
  const items = Array.from({ length: 12 }, (_, n) => n)
  const each = { id: 'each', type: 'forEach', config: { items, concurrency: 12, steps: [nested] } }
  const execution = await execute(few.ada, await workflowOf(few.ada, [each]))
  const below = () => knex('workflows.execution').where({ parentId: execution.id }).select('status')
  while ((await below()).filter(({ status }) => status === 'waiting').length < items.length)
    await new Promise((resolve) => setTimeout(resolve, 20))

  const statements: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  t.match((await few.ada.post(`${execution.path}/cancel`)).body.data, { status: 'cancelled' })
  while (undoing < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  const other = few.booted.as('eve')
  const theirs = await execute(other, await workflowOf(other, [transform('quick', 1)]))
  t.match(await once(few, other, theirs), { status: 'completed' }, 'a fourth is left to others')
  t.equal(undoing, 3)
  gate.resolve()
  while ((await below()).some(({ status }) => status !== 'cancelled'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(undoing, items.length)
  const marks = statements.filter((sql) =>
    /^update "workflows"\."execution".*coalesce\("cancelledFor"/.test(sql)
  )
  t.equal(marks.length, 2, 'one for the tree, one for all below it')
  const arrivals = statements.filter((sql) => /^update "workflows"\."step" set "arrival"/.test(sql))
  t.equal(arrivals.length, 0, 'what is cancelled with its parent does not tell it')
})
