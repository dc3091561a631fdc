import t from 'tap'
import { execute, once, scripted, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, play, booted } = scene
const eve = booted.as('eve')

t.test('cancelling ends what is under way', async (t) => {
  let reason: unknown
  const begun = Promise.withResolvers<void>()
  play.step = ({ signal }) =>
    new Promise((_, reject) => {
      begun.resolve()
      signal.addEventListener('abort', () => {
        reason = signal.reason
        reject(signal.reason)
      })
    })
  const execution = await execute(ada, await workflowOf(ada, [{ id: 'slow', type: 'once' }]))
  await begun.promise
  t.match(await eve.post(`${execution.path}/cancel`), { status: 403 })
  const cancelled = await ada.post(`${execution.path}/cancel`)
  t.match(cancelled, { status: 200, body: { data: { status: 'cancelled', error: null, endedAt: String } } })
  t.match(
    stepOf(cancelled.body.data, 'slow'),
    { status: 'failed', error: { code: 'outcome_unknown' } },
    'nobody saw what it did'
  )
  t.match(reason, { code: 'cancelled' })
  t.match(await ada.post(`${execution.path}/cancel`), {
    status: 409,
    body: { error: { code: 'already_ended' } }
  })
  t.match(await ada.post(`${execution.path}x/cancel`), { status: 404 })
})

t.test('cancelling ends what is waited for: a decision, a time, a run, an execution', async (t) => {
  const { id: agentId } = await ada.agent(scripted('hang=body'))
  const inner = await workflowOf(ada, [{ id: 'ok', type: 'approval', config: { message: 'Well?' } }])
  const steps = [
    { id: 'decision', type: 'approval', config: { message: 'Well?' } },
    { id: 'time', type: 'wait', config: { seconds: 3600 } },
    { id: 'run', type: 'agent', config: { agentId, prompt: 'x' } },
    { id: 'execution', type: 'workflow', config: { workflowId: inner } }
  ]
  const execution = await once(scene, ada, await execute(ada, await workflowOf(ada, steps)), waits)
  const { runId } = stepOf(execution, 'run') ?? {}
  const below = `/v1/workflows/${inner}/executions/${stepOf(execution, 'execution')?.executionId}`
  const cancelled = await ada.post(`${execution.path}/cancel`)
  t.match(cancelled.body.data, { status: 'cancelled' })
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'cancelled' })
  t.match(await once(scene, ada, { path: below }), { status: 'cancelled' })
  const open = await booted.platform
    .knex('jobs.wait')
    .whereNull('settledAt')
    .where('waiter', 'workflows.step')
  t.same(open, [], 'nothing is waited for any more')
  t.match(await ada.post(`${execution.path}/approve`, { stepId: 'decision' }), { status: 409 })
})

t.test('what was done is undone', async (t) => {
  const done: unknown[] = []
  play.step = async ({ config }) => {
    done.push(config.n)
    return { output: null }
  }
  const steps = [
    { id: 'pay', type: 'once', config: { n: 1 }, compensation: { type: 'once', config: { n: 2 } } },
    { id: 'ok', type: 'approval', config: { message: 'Well?' }, dependsOn: ['pay'] },
    transform('after', 1, { dependsOn: ['ok'] })
  ]
  const execution = await once(scene, ada, await execute(ada, await workflowOf(ada, steps)), waits)
  t.match((await ada.post(`${execution.path}/cancel`)).body.data, { status: 'cancelled' })
  t.same(done, [1, 2])
})

/** What is said of an effect that never ends, with a compensation, and the arguments with which that was made. */
async function cutOff(
  steps: (charge: object) => readonly object[],
  end?: (path: string) => Promise<unknown>
) {
  const begun = Promise.withResolvers<void>()
  const undone: unknown[] = []
  play.step = async ({ config, signal }) => {
    if (config.n === 3) throw Object.assign(new Error('No'), { code: 'refused' })
    if (config.n === 2) undone.push(config.n)
    if (config.n !== 1) return { output: null }
    begun.resolve()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const compensation = {
    type: 'once',
    config: { n: '{{ steps.charge.error.code = "outcome_unknown" ? 2 : 0 }}' }
  }
  const charge = { id: 'charge', type: 'once', config: { n: 1 }, compensation }
  const execution = await execute(ada, await workflowOf(ada, steps(charge)))
  await begun.promise
  await end?.(execution.path)
  const ended = await once(scene, ada, execution)
  return { ended, undone, step: ended.steps.find(({ path }) => path.endsWith('charge')) }
}
const isUnknown = { status: 'failed', error: { code: 'outcome_unknown' }, attempt: 1 }

t.test(
  'an effect in progress at the end of an execution has an unknown outcome and is compensated',
  async (t) => {
    const refuse = { id: 'refuse', type: 'once', config: { n: 3 } }
    const both = (charge: object) => [{ id: 'both', type: 'parallel', config: { steps: [charge, refuse] } }]
    const items = (charge: object) => [
      { id: 'each', type: 'forEach', config: { items: [1], steps: [charge, refuse] } }
    ]
    const cancel = (path: string) => ada.post(`${path}/cancel`)

    const cancelled = await cutOff((charge) => [charge], cancel)
    t.match(cancelled, { ended: { status: 'cancelled' }, step: isUnknown })
    t.same(cancelled.undone, [2], 'at a cancellation')

    for (const [name, steps] of Object.entries({ both, items, beside: (it: object) => [it, refuse] })) {
      const failed = await cutOff(steps)
      t.match(failed, { ended: { status: 'failed', error: { code: 'refused' } }, step: isUnknown }, name)
      t.same(failed.undone, [2], 'at the failure of another step, which stays the reason')
    }

    const late = await cutOff((charge) => [{ ...charge, timeoutSeconds: 1, retry: { attempts: 3 } }])
    t.match(late, { ended: { status: 'failed', error: { code: 'outcome_unknown' } }, step: isUnknown })
    t.same(late.undone, [2], 'at its own timeout, without another attempt')
    const inside = (charge: object) => [
      { id: 'both', type: 'parallel', timeoutSeconds: 1, config: { steps: [charge] } }
    ]
    const around = await cutOff(inside)
    t.match(around, { ended: { status: 'failed', error: { code: 'timed_out' } }, step: isUnknown })
    t.same(around.undone, [2], 'at the timeout of what is around it')
  }
)

t.test('executions go with their workflow', async (t) => {
  const undone = Promise.withResolvers<unknown>()
  play.step = async ({ config }) => {
    if (config.n === 2) undone.resolve(config.n)
    return { output: null }
  }
  const workflow = await workflowOf(ada, [
    { id: 'pay', type: 'once', config: { n: 1 }, compensation: { type: 'once', config: { n: 2 } } },
    { id: 'ok', type: 'approval', config: { message: 'Well?' }, dependsOn: ['pay'] }
  ])
  const execution = await once(scene, ada, await execute(ada, workflow), waits)
  t.match(await ada.delete(`/v1/workflows/${workflow}`), { status: 200 })
  t.equal(await undone.promise, 2, 'what was done is undone before')
  const { knex } = booted.platform
  const left = async () => (await knex('workflows.execution').where({ id: execution.id })).length > 0
  while (await left()) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(await ada.get(execution.path), { status: 404 })
  t.same(await knex('workflows.step').where({ executionId: execution.id }), [])
  t.same(await knex('kernel.stream_chunk').where({ stream: execution.id }), [])
})
