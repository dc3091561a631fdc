import t from 'tap'
import { execute, executed, once, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t, { env: { WORKFLOW_MAX_STEPS: '80' } })
const { ada, booted } = scene
const each = (items: unknown, fields: object = {}, id = 'each') => ({
  id,
  type: 'forEach',
  config: { items, steps: [transform(`${id}One`, '{{ item }}')], ...fields }
})

t.test('an execution has so many steps, those of lists in lists counted', async (t) => {
  const inside = each('{{ [1..3] }}', {}, 'in')
  const fits = await executed(scene, [each('{{ [1..4] }}', { steps: [inside], output: '{{ index }}' })])
  t.match(fits, { status: 'completed' })
  t.equal(fits.steps.length, 17)
  const bomb = await executed(scene, [
    each('{{ [1..1000] }}', { steps: [{ ...inside, config: each('{{ [1..1000] }}').config }] })
  ])
  t.match(bomb, { status: 'failed', error: { code: 'too_many_steps' } })
  t.ok(bomb.steps.length < 100, `${bomb.steps.length}`)
  t.notOk(bomb.steps.some(({ status }) => status === 'running'))
})

t.test(
  'how many items are done at a time is a number of the right size, whatever an expression makes of it',
  async (t) => {
    for (const wrong of [0, -1, 1.5, 101, '2', '{{ x }}', true, {}])
      t.match(
        await executed(scene, [each([1, 2], { concurrency: '{{ input.n }}' })], { input: { n: wrong } }),
        { status: 'failed', error: { code: 'invalid_config', message: /concurrency/ } },
        JSON.stringify(wrong)
      )
    t.match(await executed(scene, [each([1, 2], { concurrency: '{{ input.n }}' })], { input: { n: 2 } }), {
      output: { each: [{ eachOne: 1 }, { eachOne: 2 }] }
    })
  }
)

t.test('what an expression makes is kept, also where it has characters that no database takes', async (t) => {
  const value = '{{ {"a\\u0000b": {"c\\ud800": "d\\u0000\\ud800" & input.x}} }}'
  const ended = await executed(scene, [transform('a', value)], { input: { x: 1 } })
  t.match(ended, { status: 'completed', output: { a: { ab: { 'c\ufffd': 'd\ufffd1' } } } })
})

t.test('a time long ago is over', async (t) => {
  const steps = [{ id: 'wait', type: 'wait', config: { until: '{{ input.at }}' } }]
  t.match(await executed(scene, steps, { input: { at: '0001-01-01T00:00:00Z' } }), { status: 'completed' })
})

t.test('what an expression makes of a config has to be what a definition may say', async (t) => {
  const fails = async (step: object, input: unknown, message: RegExp) =>
    t.match(
      await executed(scene, [{ id: 'one', ...step }], { input }),
      { status: 'failed', error: { code: 'invalid_config', message } },
      `${message}`
    )
  const { id: agentId } = await ada.agent()
  const braces = '{{ 1 }}'
  await fails({ type: 'condition', config: { if: '{{ input }}' } }, braces, /config\/if must be boolean/)
  await fails({ type: 'condition', config: { if: '{{ input.none }}' } }, {}, /config\/if is required/)
  await fails({ type: 'wait', config: { seconds: '{{ input }}' } }, braces, /config\/seconds must be number/)
  await fails({ type: 'wait', config: { seconds: '{{ input.none }}' } }, {}, /config must have one of/)
  await fails({ type: 'wait', config: { seconds: '{{ input }}' } }, 3_660 * 86_400, /seconds must/)
  await fails({ type: 'wait', config: { event: '{{ input }}' } }, 'x'.repeat(201), /config\/event must not/)
  for (const at of ['soon', braces, '-271821-04-20T00:00:00Z', 7])
    await fails({ type: 'wait', config: { until: '{{ input.at }}' } }, { at }, /config\/until/)
  const approval = (field: string) => ({
    type: 'approval',
    config: { message: 'Well?', [field]: '{{ input }}' }
  })
  await fails(approval('principals'), 'ada', /config\/principals must be array/)
  await fails(approval('principals'), [7], /config\/principals\/0 must be string/)
  await fails(approval('count'), 1.5, /config\/count must be integer/)
  await fails(approval('count'), 0, /config\/count must be >= 1/)
  await fails(approval('deadlineSeconds'), braces, /config\/deadlineSeconds must be number/)
  await fails({ type: 'agent', config: { agentId, prompt: '{{ input }}' } }, '', /config\/prompt must not/)
  const model = { agentId, prompt: 'x', model: '{{ input }}' }
  await fails({ type: 'agent', config: model }, { modelProvider: 'a', modelId: 'b', x: 1 }, /x is not known/)
  await fails(each('{{ [1..1001] }}', { steps: [transform('in', 1)] }), {}, /config\/items must not/)
  t.match(
    await executed(scene, [transform('one', '{{ input.none }}'), transform('two', '{{ input.text }}')], {
      input: { text: braces }
    }),
    { status: 'completed', output: { one: null, two: braces } },
    'what takes anything takes braces, and nothing'
  )
})

t.test('what steps are given counts as well as what they give', async (t) => {
  const step = { id: 'no', type: 'condition', config: { if: '{{ input.text }}' }, onError: 'continue' }
  const input = { text: 'x'.repeat(260_000) }
  const { id } = await executed(scene, [each('{{ [1..70] }}', { steps: [step], output: '{{ index }}' })], {
    input
  })
  const { knex } = booted.platform
  const [row] = await knex('workflows.step')
    .where({ executionId: id })
    .select(knex.raw(`sum(length(input::text))::int as size`))
  t.ok(row.size > 15 * 1_048_576 && row.size < 17 * 1_048_576, `${row.size} characters`)
  const codes = await knex('workflows.step')
    .where({ executionId: id })
    .distinct(knex.raw(`error->>'code' as code`))
  t.ok(codes.some(({ code }) => code === 'input_too_large'))
})

t.test('a decision about what was rejected or cancelled meanwhile is 409', async (t) => {
  const principals = ['eve', 'zoe', 'bob']
  const approval = { id: 'ok', type: 'approval', config: { message: 'May I?', principals, count: 4 } }
  const asked = await once(scene, ada, await execute(ada, await workflowOf(ada, [approval])), waits)
  const say = (name: string, what: string) => booted.as(name).post(`${asked.path}/${what}`, {})
  const replies = await Promise.all([
    say('eve', 'reject'),
    say('zoe', 'approve'),
    say('bob', 'approve'),
    say('ada', 'reject')
  ])
  const said = replies.filter(({ status }) => status === 200).length
  const ended = await once(scene, ada, asked)
  t.equal(stepOf(ended, 'ok')?.decisions.length, said)
  t.equal(stepOf(ended, 'ok')?.decisions.filter(({ decision }) => decision === 'reject').length, 1)
  t.equal(stepOf(ended, 'ok')?.decisions.at(-1)?.decision, 'reject', 'nothing comes after it')
})

t.test('decisions that come all at once take no connection from each other', async (t) => {
  const approval = { id: 'ok', type: 'approval', config: { message: 'May I?' } }
  const id = await workflowOf(ada, [approval])
  const asked = await Promise.all(
    Array.from({ length: 20 }, async () => once(scene, ada, await execute(ada, id), waits))
  )
  const replies = await Promise.all(asked.map(({ path }) => ada.post(`${path}/approve`, {})))
  t.same(
    replies.map(({ status }) => status),
    asked.map(() => 200)
  )
})
