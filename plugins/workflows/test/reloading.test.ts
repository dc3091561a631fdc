import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { execute, once, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, play, booted } = scene
const reload = () => booted.admin.post('/v1/packs/workflows/reload')
const steps = [
  { id: 'work', type: 'again' },
  { id: 'ok', type: 'approval', config: { message: 'Well?' }, dependsOn: ['work'] },
  { id: 'more', type: 'again', dependsOn: ['ok'] },
  transform('done', '{{ [steps.work.output, steps.more.output] }}', { dependsOn: ['work', 'more'] })
]

t.test('the pack is reloaded while executions run and wait', async (t) => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let calls = 0
  play.step = async ({ stepId }) => {
    calls++
    begun.resolve()
    await go.promise
    return { output: stepId }
  }
  const execution = await execute(ada, await workflowOf(ada, steps))
  await begun.promise
  t.match(await reload(), { status: 200 })
  go.resolve()
  await once(scene, ada, execution, waits)
  t.match(await reload(), { status: 200 })
  t.match(await ada.post(`${execution.path}/approve`), { status: 200 })
  t.match(await once(scene, ada, execution), { status: 'completed', output: { done: ['work', 'more'] } })
  t.equal(calls, 2, 'each step was made once')
})

t.test('another instance takes decisions, and follows', async (t) => {
  play.step = async ({ stepId }) => ({ output: stepId })
  const other = await boot(t, 'packs', 'workflows', { beside: booted })
  const there = other.as('ada')
  const workflowId = await workflowOf(ada, [
    { id: 'ok', type: 'approval', config: { message: 'Well?' } },
    transform('done', '{{ steps.ok.output.data }}', { dependsOn: ['ok'] })
  ])
  const execution = await execute(ada, workflowId)
  const waiting = await once({ booted: other }, there, execution, waits)
  t.match(stepOf(waiting, 'ok'), { status: 'waiting' })
  const decisions = await Promise.all(
    [ada, there].map((client) => client.post(`${execution.path}/approve`, { stepId: 'ok', data: 1 }))
  )
  t.same(decisions.map(({ status }) => status).sort(), [200, 409], 'one of them decides')
  t.match(await once({ booted: other }, there, execution), { status: 'completed', output: { done: 1 } })
  const running = await once(scene, ada, await execute(ada, workflowId), waits)
  t.match(await there.post(`${running.path}/cancel`), {
    status: 200,
    body: { data: { status: 'cancelled' } }
  })
})
