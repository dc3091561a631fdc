// budget: 4 s, because hundreds of requests come at once
import t from 'tap'
import { createLanes } from '../executions/lanes.ts'
import { execute, once, stage, waits, workflowOf } from './testbed.ts'

t.test(
  'one after another in a lane, lanes beside each other, and no more than a hundred in one',
  async (t) => {
    const { take } = createLanes()
    const gate = Promise.withResolvers<void>()
    const done: number[] = []
    const order = Array.from({ length: 100 }, (_, n) =>
      take('a', async () => {
        await gate.promise
        done.push(n)
        if (n === 1) throw new Error('no')
      })
    )
    const [first, failing, ...others] = order
    failing?.catch(() => undefined)
    t.match(await take('a', async () => undefined).catch((error) => error), {
      kind: 'rateLimited',
      headers: { 'retry-after': '1' }
    })
    t.equal(await take('b', async () => 'beside'), 'beside')
    gate.resolve()
    await t.rejects(Promise.resolve(failing), /no/)
    await Promise.all([first, ...others])
    t.same(
      done,
      order.map((_, n) => n)
    )
    t.equal(await take('a', async () => 'again'), 'again')
  }
)

t.test('while hundreds of events wait for one execution, others are answered', async (t) => {
  const { ada, booted } = await stage(t)
  const ask = { id: 'ok', type: 'approval', config: { message: 'Well?' } }
  const paid = { id: 'paid', type: 'wait', dependsOn: ['ok'], config: { event: 'paid' } }
  const { path, id } = await once(
    { booted },
    ada,
    await execute(ada, await workflowOf(ada, [ask, paid])),
    waits
  )
  const held = await booted.platform.knex.transaction()
  await held('workflows.execution').where({ id }).forUpdate().first('id')
  const early: { status: number; after: string | null }[] = []
  const refused = Promise.withResolvers<void>()
  const sent = Array.from({ length: 300 }, async (_, n) => {
    const { status, headers } = await ada.post(`${path}/events`, { event: 'paid', data: n })
    early.push({ status, after: headers.get('retry-after') })
    if (early.length === 200) refused.resolve()
    return status
  })
  await refused.promise
  t.same(new Set(early.map((it) => JSON.stringify(it))), new Set(['{"status":429,"after":"1"}']))
  const decision = ada.post(`${path}/approve`, {})
  t.match(await decision, { status: 429 }, 'decisions go with them')
  const eve = booted.as('eve')
  for (let n = 0; n < 20; n++) await workflowOf(eve, [ask])
  t.equal(early.length, 200, 'the others wait for their turn')
  await held.commit()
  const statuses = await Promise.all(sent)
  t.equal(statuses.filter((status) => status === 202).length, 100)
  t.match(await ada.post(`${path}/approve`, {}), { status: 200 })
})
