// budget: 6 s, because a dozen executions race with their events, and two wait for their time
import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Shown } from './testbed.ts'
import { execute, once, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, booted } = scene
const { knex } = booted.platform
const eve = booted.as('eve')
const refused = (status: number, error: object) => ({ status, body: { error } })
const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
const paid = (config: object = {}, fields: object = {}) => ({
  id: 'paid',
  type: 'wait',
  config: { event: 'paid', ...config },
  ...fields
})
const ask = { id: 'ok', type: 'approval', config: { message: 'Well?' } }
const begin = async (steps: readonly object[], input?: unknown): Promise<Shown> =>
  once(scene, ada, await execute(ada, await workflowOf(ada, steps), input), waits)
const send = ({ path }: Shown, request: object, client: Client = ada) =>
  client.post(`${path}/events`, request)
async function deadInstance(): Promise<number> {
  const dead = { host: 'gone', pid: 1, version: '0', deadAt: new Date() }
  const [row] = await knex('kernel.instance').insert(dead).returning('id')
  return row.id
}
const over = (shown: Shown) => once(scene, ada, shown)

t.test('a step waits for an event, and gives its data', async (t) => {
  const steps = [paid({ schema }), transform('sum', '{{ steps.paid.output.sum }}', { dependsOn: ['paid'] })]
  const execution = await begin(steps)
  const [row] = await knex('workflows.execution').where({ id: execution.id })
  t.match(row, { status: 'waiting', instance: null }, 'no instance holds it')
  t.match(await send(execution, { event: 'paid', data: { sum: 'x' } }), refused(400, { param: '/data/sum' }))
  t.match(await send(execution, { event: 'paid' }), refused(400, { param: '/data' }))
  t.match(await send(execution, { event: 'shipped' }), refused(400, { param: '/event' }))
  t.match(await send(execution, { event: 'paid', date: 1 }), refused(400, { param: '/date' }))
  t.match(
    await send(execution, { event: 'paid', data: { sum: 1 } }, eve),
    refused(403, { code: 'not_owner' })
  )
  t.match(await send({ ...execution, path: `${execution.path}x` }, { event: 'paid' }), { status: 404 })
  const { id: agentId } = await ada.agent()
  const agent = booted.as(agentId, { type: 'agent' })
  t.match(await send(execution, { event: 'paid', data: { sum: 1 } }, agent), { status: 403 })
  t.match(await ada.post(`${execution.path}/approve`, { data: {} }), refused(400, { param: '/data/sum' }))

  const sent = await send(execution, { event: 'paid', data: { sum: 9 } })
  t.match(sent, { status: 202, body: { data: { executionId: execution.id, event: 'paid', taken: true } } })
  t.match(await over(execution), { status: 'completed', output: { sum: 9 } })
  t.match(await send(execution, { event: 'paid', data: { sum: 9 } }), refused(409, { code: 'already_ended' }))
  await booted.settled()
  const facts = await knex('kernel.fact').where({ subject: execution.id }).orderBy('id').pluck('name')
  for (const name of ['workflows.suspended', 'workflows.event_received', 'workflows.resumed'])
    t.ok(facts.includes(name), name)
})

t.test('what comes before its step is kept, and each event is taken once', async (t) => {
  const [first, second] = [paid({}, { dependsOn: ['ok'] }), { ...paid(), id: 'second', dependsOn: ['paid'] }]
  const execution = await begin([ask, first, second])
  for (const n of [1, 2])
    t.match(await send(execution, { event: 'paid', data: n }), {
      status: 202,
      body: { data: { taken: false } }
    })
  await ada.post(`${execution.path}/approve`, { stepId: 'ok' })
  const ended = await over(execution)
  t.match(
    [stepOf(ended, 'paid')?.output, stepOf(ended, 'second')?.output],
    [1, 2],
    'in the order in which they came'
  )
})

t.test('what comes while a step begins to wait is not lost', async (t) => {
  const id = await workflowOf(ada, [paid()])
  const executions = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const execution = await execute(ada, id)
      t.match(await send(execution, { event: 'paid', data: n }), { status: 202 })
      return execution
    })
  )
  const outputs = await Promise.all(executions.map(async (it) => (await over(it)).output))
  t.same(
    outputs,
    executions.map((_, n) => ({ paid: n }))
  )
})

t.test('an instance that dies between its wait and its look is followed by one that looks', async (t) => {
  const execution = await begin([paid()])
  const { project, owner, workflowId } = await knex('workflows.execution').where({ id: execution.id }).first()
  const kept = { workflowId, executionId: execution.id, name: 'paid', data: '7', size: 1 }
  await knex('workflows.event').insert({ project, id: 'event_left', owner, ...kept })
  const instance = await deadInstance()
  await knex('workflows.execution').where({ id: execution.id }).update({ status: 'running', instance })
  t.match(await over(execution), { status: 'completed', output: { paid: 7 } })
  t.match(await knex('workflows.event').where({ id: 'event_left' }).first(), { takenBy: /^step_/ })
})

t.test('what an attempt that was cut takes late is found by the one in its place', async (t) => {
  const execution = await begin([paid()])
  const { project, owner, workflowId } = await knex('workflows.execution').where({ id: execution.id }).first()
  const { id: takenBy } = await knex('workflows.step').where({ executionId: execution.id }).first()
  const kept = { workflowId, executionId: execution.id, name: 'paid', data: '8', size: 1 }
  await knex('workflows.event').insert({ project, id: 'event_late', owner, ...kept })
  await knex.transaction(async (cut) => {
    await cut('workflows.event').where({ id: 'event_late' }).update({ takenBy })
    await knex('workflows.execution')
      .where({ id: execution.id })
      .update({ status: 'running', instance: null })
    // It has found the event, and waits for it.
    await until(
      async () =>
        (await knex.raw("select from pg_locks where not granted and locktype = 'transactionid'")).rowCount,
      (count) => count > 0
    )
  })
  t.match(await over(execution), { status: 'completed', output: { paid: 8 } })
})

t.test('a key tells the items of a list apart', async (t) => {
  const each = { items: ['a', 'b'], concurrency: 2, steps: [paid({ key: '{{ item }}' })] }
  const execution = await begin([{ id: 'each', type: 'forEach', config: each }])
  t.match(await send(execution, { event: 'paid', key: 'b', data: 'for b' }), {
    body: { data: { taken: true } }
  })
  t.match(await send(execution, { event: 'paid', key: 'b' }), { body: { data: { taken: false } } })
  t.match(await send(execution, { event: 'paid', data: 'for nobody' }), { body: { data: { taken: false } } })
  await send(execution, { event: 'paid', key: 'a', data: 'for a' })
  t.match(await over(execution), { output: { each: [{ paid: 'for a' }, { paid: 'for b' }] } })
})

t.test('of an event, a decision and a cancellation that come together, one is taken', async (t) => {
  const executions = await Promise.all(Array.from({ length: 6 }, () => begin([paid()])))
  for (const execution of executions) {
    const [event, decision] = await Promise.all([
      send(execution, { event: 'paid', data: 'event' }),
      ada.post(`${execution.path}/approve`, { data: 'decision' })
    ])
    const isEvent = event.status === 202 && event.body.data.taken
    t.equal(decision.status, isEvent ? 409 : 200, `${event.status}`)
    t.match(await over(execution), { output: { paid: isEvent ? 'event' : 'decision' } })
  }
  const cancelled = await begin([paid()])
  const [sent] = await Promise.all([
    send(cancelled, { event: 'paid' }),
    ada.post(`${cancelled.path}/cancel`, {})
  ])
  t.ok([202, 409].includes(sent.status))
  t.ok((await over(cancelled)).endedAt)
})

t.test('so many are kept, of so many bytes', async (t) => {
  const execution = await begin([ask, paid({}, { dependsOn: ['ok'] })])
  t.match(
    await send(execution, { event: 'paid', data: 'x'.repeat(262_145) }),
    refused(400, { param: '/data' })
  )
  const statuses = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await send(execution, { event: 'paid', data: 'x'.repeat(250_000) })).status
    )
  )
  t.equal(statuses.filter((status) => status === 202).length, 16)
  t.match(
    await send(execution, { event: 'paid', data: 'x'.repeat(250_000) }),
    refused(409, { code: 'too_many_events' })
  )
  const small = await Promise.all(
    Array.from({ length: 84 }, async () => (await send(execution, { event: 'paid' })).status)
  )
  t.same([...new Set(small)], [202])
  t.match(await send(execution, { event: 'paid' }), refused(409, { code: 'too_many_events' }))
})

t.test('an event that does not come in time fails the step, or takes the way for that', async (t) => {
  t.match(await over(await begin([paid({ timeoutSeconds: 1 })])), {
    status: 'failed',
    error: { code: 'timed_out', message: 'paid: paid did not come in time' }
  })
  const steps = [
    paid({ timeoutSeconds: 1 }, { onError: { step: 'late' } }),
    transform('late', '{{ steps.paid.error.code }}')
  ]
  t.match(await over(await begin(steps)), { status: 'completed', output: { late: 'timed_out' } })
})

t.test('an expression names events as records take them', async (t) => {
  const execution = await begin([paid({ event: '{{ "\\u0000paid" }}', key: '{{ "a\\u0000" }}' })])
  t.match(await send(execution, { event: 'paid', key: 'a', data: 1 }), {
    status: 202,
    body: { data: { taken: true } }
  })
  t.match(await over(execution), { status: 'completed', output: { paid: 1 } })
})

t.test('what a step waits for is checked when it is saved, and when it begins', async (t) => {
  const save = (config: object) =>
    ada.post('/v1/workflows', { name: 'Test', definition: { steps: [{ id: 'paid', type: 'wait', config }] } })
  for (const [config, param] of [
    [{ seconds: 1, key: 'a' }, 'config/key'],
    [{ seconds: 1, schema: {} }, 'config/schema'],
    [{ event: 'paid', schema: { type: 'strange' } }, 'config/schema/type'],
    [{ event: '' }, 'config/event']
  ] as const)
    t.match(await save(config), refused(400, { param: `/definition/steps/0/${param}` }), param)
  const failing = await execute(ada, await workflowOf(ada, [paid({ key: '{{ input.none }}' })]))
  t.match(await over(failing), {
    status: 'failed',
    error: { code: 'invalid_config', message: /key has no value/ }
  })
})

/** A workflow of these steps, with a webhook that makes events of what has a type. */
async function hooked(
  steps: readonly object[],
  event: object = { event: '{{ body.type }}', key: '{{ body.order }}' }
) {
  const id = await workflowOf(ada, steps)
  const minted = await ada.post(`/v1/workflows/${id}/webhook-token`, { event })
  t.match(minted, { status: 201, body: { data: { event } } })
  const deliver = (body: object, headers: object = {}) =>
    booted.anyone.request('POST', `/v1/workflows/webhooks/${minted.body.data.token}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers }
    })
  const begun = async (body: object) => {
    const { status, body: reply } = await deliver(body)
    t.match([status, Object.keys(reply.data)], [202, ['executionId']], 'it begins one')
    return {
      id: reply.data.executionId,
      path: `/v1/workflows/${id}/executions/${reply.data.executionId}`
    } as Shown
  }
  return { id, deliver, begun }
}

t.test('a webhook begins executions, and reaches those that wait, by a key', async (t) => {
  const { deliver, begun } = await hooked([paid({ key: '{{ input.order }}' })])
  const [a, b] = [await begun({ order: 'a' }), await begun({ order: 'b' })]
  for (const it of [a, b]) await once(scene, ada, it, waits)
  const id = { 'webhook-id': 'event-1' }
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => deliver({ type: 'paid', order: 'b', sum: 3 }, id))
  )
  for (const reply of replies)
    t.match(reply, { status: 202, body: { data: { executionId: b.id, eventId: /^event_/ } } })
  t.equal(new Set(replies.map(({ body }) => body.data.eventId)).size, 1, 'a repetition is the same one')
  t.match(
    await deliver({ type: 'paid', order: 'b', sum: 4 }, id),
    refused(409, { code: 'idempotency_key_reused' })
  )
  t.match(await over(b), { output: { paid: { type: 'paid', order: 'b', sum: 3 } } })
  t.match((await ada.get(a.path)).body.data, { status: 'waiting' })

  const early = await deliver({ type: 'paid', order: 'c' }, { 'webhook-id': 'event-2' })
  t.match(early, { status: 202, body: { data: { executionId: null } } })
  t.match(await over(await begun({ order: 'c' })), { output: { paid: { order: 'c' } } }, 'it was kept')
  t.match(await deliver({ type: 'paid', order: 'c' }, { 'webhook-id': 'event-2' }), {
    body: { data: { eventId: early.body.data.eventId } }
  })
  const [c, d] = [await begun({ order: 'd' }), await begun({ order: 'd' })]
  for (const it of [c, d]) await once(scene, ada, it, waits)
  for (const it of [c, d])
    t.match(
      await deliver({ type: 'paid', order: 'd' }),
      { body: { data: { executionId: it.id } } },
      'one each'
    )
  for (const wrong of [{ type: 'paid' }, { type: 'paid', order: 7 }, { type: 'other', order: 'a' }])
    t.match(await deliver(wrong), { status: 400 }, JSON.stringify(wrong))
})

t.test('a webhook reaches executions of its own workflow alone', async (t) => {
  const { deliver } = await hooked([paid({ schema })], {
    event: 'paid',
    executionId: '{{ body.execution }}',
    data: '{{ body.data }}'
  })
  const other = await begin([paid()])
  for (const execution of [other.id, 'execution_nope'])
    t.match(await deliver({ execution, data: { sum: 1 } }), refused(404, { message: /Execution/ }), execution)
  t.match((await ada.get(other.path)).body.data, { status: 'waiting' })
  t.match(await deliver({}), { status: 400 })
})

t.test('what a webhook makes events of is checked when it is minted', async (t) => {
  const id = await workflowOf(ada, [paid()])
  for (const [event, param] of [
    [{ key: 'a' }, '/event/event'],
    [{ event: 'a', other: 1 }, '/event/other'],
    [{ event: '{{ 1 + }}' }, '/event/event'],
    [{ event: '{{ input.x }}' }, '/event/event']
  ] as const)
    t.match(await ada.post(`/v1/workflows/${id}/webhook-token`, { event }), refused(400, { param }))
})

t.test('events go with their workflow', async () => {
  const { id, deliver } = await hooked([paid({ key: '{{ input.order }}' })])
  await deliver({ type: 'paid', order: 'x' })
  await ada.delete(`/v1/workflows/${id}`)
  await booted.settled()
  while ((await knex('workflows.event').where({ workflowId: id })).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
})
