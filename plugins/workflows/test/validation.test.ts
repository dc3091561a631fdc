import type { Test } from 'tap'
import t from 'tap'
import { boot } from '../../../test/boot.ts'

const { as } = await boot(t, 'workflows', 'toolbox')
const [ada, eve] = [as('ada'), as('eve')]
const agentId = (await ada.agent()).id
await ada.post(`/v1/agents/${agentId}/tools`, { toolId: 'current_time' })

type Fields = Record<string, unknown>
const step = (id: string, type: string, config: Fields, more: Fields = {}) => ({ id, type, config, ...more })
const value = (id: string, value: unknown, more: Fields = {}) => step(id, 'transform', { value }, more)
const save = (steps: unknown[], more: Fields = {}, client = ada) =>
  client.post('/v1/workflows', { name: 'Triage', definition: { steps, ...more } })
const after = (...dependsOn: string[]) => ({ dependsOn })

async function refuses(
  t: Test,
  steps: unknown[],
  param: string,
  message: RegExp,
  { status = 400, ...more }: Fields = {}
) {
  const reply = await save(steps, more)
  t.match(reply, { status, body: { error: { param, message } } }, `${param}: ${message}`)
}

t.test('a definition that uses everything is kept', async (t) => {
  const steps = [
    step(
      'classify',
      'agent',
      {
        agentId,
        prompt: 'Classify {{ input.text }}',
        output: { type: 'object', properties: { urgent: { type: 'boolean' } }, additionalProperties: false }
      },
      { retry: { attempts: 2 }, onError: { step: 'apologise' } }
    ),
    step('apologise', 'transform', { value: '{{ steps.classify.error.message }}' }),
    step(
      'isUrgent',
      'condition',
      { if: '{{ steps.classify.output.urgent }}', then: ['ask'], else: ['pause'] },
      after('classify')
    ),
    step('ask', 'approval', {
      message: 'Page for {{ input.text }}?',
      principals: ['ada'],
      count: 1,
      form: { type: 'object' },
      onReject: 'note'
    }),
    value('note', '{{ steps.ask.error.message }}'),
    step('pause', 'wait', { seconds: '{{ input.seconds }}' }),
    step(
      'each',
      'forEach',
      {
        items: '{{ input.list }}',
        concurrency: 3,
        steps: [
          step('time', 'tool', { agentId, tool: 'current_time', args: { timezone: '{{ item.zone }}' } }),
          value(
            'line',
            '{{ index }}: {{ steps.time.output }} {{ steps.classify.output.urgent }}',
            after('time')
          )
        ],
        output: '{{ steps.line.output }}'
      },
      after('ask')
    ),
    step(
      'both',
      'parallel',
      { steps: [value('left', 1), value('right', '{{ steps.each.output[0] }}')] },
      after('each')
    ),
    value('charge', 1, {
      ...after('both'),
      compensation: { type: 'transform', config: { value: '{{ steps.charge.output }}' } }
    })
  ]
  const inputSchema = {
    type: 'object',
    properties: { text: { type: 'string' }, seconds: {}, list: { type: 'array', items: {} } },
    additionalProperties: false
  }
  const { status, body } = await save(steps, { inputSchema, output: { all: '{{ steps.both.output.left }}' } })
  t.equal(status, 201, JSON.stringify(body.error))
  const nested = step('again', 'workflow', { workflowId: body.data.id, input: { text: 'x' } })
  t.match(await save([nested]), { status: 201 })
})

t.test('ids, types and configs', async (t) => {
  await refuses(
    t,
    [value('a', 1), value('a', 2)],
    '/definition/steps/1/id',
    /Step a: another step has the same id/
  )
  const nested = step('p', 'parallel', { steps: [value('a', 1)] })
  await refuses(t, [value('a', 1), nested], '/definition/steps/1/config/steps/0/id', /Step a/)
  await refuses(
    t,
    [step('p', 'parallel', { steps: [{ id: 'a' }] })],
    '/definition/steps/0/config/steps/0',
    /Step p.*required/
  )
  await refuses(
    t,
    [step('p', 'parallel', { steps: [{ ...value('a', 1), unheard: 1 }] })],
    '/definition/steps/0/config/steps/0/unheard',
    /Step p/
  )
  await refuses(
    t,
    [step('a', 'teleport', {})],
    '/definition/steps/0/type',
    /Step a: its type must be one of agent, approval/
  )
  await refuses(t, [step('a', 'constructor', {})], '/definition/steps/0/type', /its type/)
  await refuses(
    t,
    [step('a', 'agent', { agentId })],
    '/definition/steps/0/config/prompt',
    /Step a: config\/prompt is required/
  )
  await refuses(
    t,
    [step('a', 'agent', { agentId, prompt: 'x', promt: 1 })],
    '/definition/steps/0/config/promt',
    /is not known/
  )
  await refuses(
    t,
    [step('a', 'wait', { seconds: 'long' })],
    '/definition/steps/0/config/seconds',
    /must be number/
  )
  await refuses(
    t,
    [step('a', 'wait', { seconds: 'in {{ input }} seconds' })],
    '/definition/steps/0/config/seconds',
    /must be number/
  )
  await refuses(t, [step('a', 'wait', { seconds: 1, event: 'x' })], '/definition/steps/0/config', /one of/)
  await refuses(t, [step('a', 'wait', { until: 'soon' })], '/definition/steps/0/config/until', /date-time/)
  await refuses(
    t,
    [value('a', 1, { compensation: { type: 'approval', config: { message: 'x' } } })],
    '/definition/steps/0/compensation/type',
    /undoes nothing/
  )
  await refuses(
    t,
    [value('a', 1, { compensation: { type: 'transform', config: {} } })],
    '/definition/steps/0/compensation/config/value',
    /required/
  )
  const deep = (left: number): Fields =>
    step(`d${left}`, 'parallel', { steps: left === 0 ? [value('x', 1)] : [deep(left - 1)] })
  t.match(await save([deep(5)]), { status: 400, body: { error: { message: /deep/ } } })
  const many = Array.from({ length: 60 }, (_, n) => value(`m${n}`, 1))
  await refuses(
    t,
    [...many, step('p', 'parallel', { steps: many.map((it) => ({ ...it, id: `n${it.id}` })) })],
    '/definition/steps/60/config/steps/39',
    /more than 100 steps/
  )
  t.match(await save([value('a', 'x'.repeat(270_000))]), {
    status: 400,
    body: { error: { param: '/definition' } }
  })
})

t.test('the order of steps', async (t) => {
  await refuses(
    t,
    [value('a', 1, after('b'))],
    '/definition/steps/0/dependsOn/0',
    /Step a: there is no step b beside it/
  )
  await refuses(
    t,
    [step('a', 'condition', { if: true, then: ['b'] })],
    '/definition/steps/0/config/then/0',
    /no step b/
  )
  await refuses(
    t,
    [value('a', 1, { onError: { step: 'b' } })],
    '/definition/steps/0/onError/step',
    /no step b/
  )
  await refuses(
    t,
    [step('a', 'approval', { message: 'x', onReject: 'b' })],
    '/definition/steps/0/config/onReject',
    /no step b/
  )
  const inside = step('p', 'parallel', { steps: [value('in', 1, after('out'))] })
  await refuses(
    t,
    [step('p', 'parallel', { steps: [value('in', 1, { onError: { step: 'tpyo' } })] })],
    '/definition/steps/0/config/steps/0/onError/step',
    /Step in: there is no step tpyo/
  )
  await refuses(
    t,
    [step('p', 'parallel', { steps: [value('in', 1, { onError: 'contine' })] })],
    '/definition/steps/0/config/steps/0/onError',
    /the step in inside: onError must be fail, continue/
  )
  await refuses(
    t,
    [value('a', 1, { onError: 'contine' })],
    '/definition/steps/0/onError',
    /onError must be one of fail, continue, object/
  )
  await refuses(t, [value('out', 1), inside], '/definition/steps/1/config/steps/0/dependsOn/0', /no step out/)
  await refuses(t, [value('a', 1, after('a'))], '/definition/steps/0', /Step a: it comes after itself: a → a/)
  await refuses(
    t,
    [value('a', 1), value('b', 1, after('d', 'a')), value('c', 1, after('b')), value('d', 1, after('c'))],
    '/definition/steps/1',
    /Step b: it comes after itself: b → c → d → b/
  )
  await refuses(
    t,
    [step('a', 'condition', { if: false, then: ['b'] }), value('b', 1), value('c', 1, after('b'))],
    '/definition/steps/1',
    /Step b: it can never be reached/
  )
  await refuses(
    t,
    [step('a', 'condition', { if: '{{ input }}', then: ['b'], else: ['b'] }), value('b', 1)],
    '/definition/steps/1',
    /never be reached/
  )
})

t.test('expressions', async (t) => {
  const at = '/definition/steps/0/config/value'
  await refuses(t, [value('a', '{{ 1 + }}')], at, /Step a/)
  await refuses(t, [value('a', { deep: ['{{ 1 + "x" }}'] })], `${at}/deep/0`, /Step a: .*number/)
  await refuses(t, [value('a', '{{ $eval("1") }}')], at, /Step a/)
  await refuses(t, [value('a', '{{ inptu.x }}')], at, /inptu is not known/)
  await refuses(t, [value('a', '{{ item }}')], at, /inside of forEach/)
  await refuses(t, [value('a', '{{ steps.b.output }}')], at, /there is no step b/)
  await refuses(
    t,
    [value('a', '{{ steps.b.output }}'), value('b', 1)],
    at,
    /step b does not come before it: name it in dependsOn/
  )
  await refuses(t, [value('a', '{{ $keys(steps) }}')], at, /steps\.<id>/)
  await refuses(t, [value('a', '{{ $keys($) }}')], at, /names what it needs/)
  await refuses(t, [value('a', '{{ execution.secret }}')], at, /execution\.secret/)
  await refuses(
    t,
    [value('b', 1), value('a', '{{ steps.b.result }}', after('b'))],
    '/definition/steps/1/config/value',
    /steps\.b\.result/
  )
  const inputSchema = {
    type: 'object',
    properties: { n: { type: 'number' }, open: {} },
    additionalProperties: false
  }
  await refuses(t, [value('a', '{{ input.m }}')], at, /input\.m: inputSchema has no m/, { inputSchema })
  await refuses(t, [value('a', '{{ input.n.x }}')], at, /input\.n\.x: inputSchema has no x/, { inputSchema })
  t.match(await save([value('a', '{{ input.open.x }}')], { inputSchema }), { status: 201 })
  const agent = step('ask', 'agent', { agentId, prompt: 'x' })
  await refuses(
    t,
    [agent, value('a', '{{ steps.ask.output.x }}', after('ask'))],
    '/definition/steps/1/config/value',
    /no x in what step ask gives/
  )
  await refuses(t, [value('a', 1)], '/definition/output/x', /no step b/, {
    output: { x: '{{ steps.b.output }}' }
  })
})

t.test('JSON Schemas', async (t) => {
  await refuses(t, [value('a', 1)], '/definition/inputSchema/type', /type/, {
    inputSchema: { type: 'strange' }
  })
  const agent = step('ask', 'agent', { agentId, prompt: 'x', output: { type: 7 } })
  await refuses(t, [agent], '/definition/steps/0/config/output/type', /Step ask/)
  const approval = step('ask', 'approval', { message: 'x', form: { properties: 1 } })
  await refuses(t, [approval], '/definition/steps/0/config/form/properties', /Step ask/)
})

t.test('agents, tools and workflows that the caller may not use', async (t) => {
  const other = (await eve.agent()).id
  const agent = (agentId: string) => [step('ask', 'agent', { agentId, prompt: 'x' })]
  const param = '/definition/steps/0/config/agentId'
  await refuses(t, agent(other), param, /Step ask/, { status: 403 })
  await refuses(t, agent('agent_nope'), param, /Step ask: Agent not found/, { status: 404 })
  const tool = (tool: string) => [step('call', 'tool', { agentId, tool })]
  await refuses(
    t,
    tool('nope'),
    '/definition/steps/0/config/tool',
    /Step call: Tool nope, assigned to the agent, not found/,
    {
      status: 404
    }
  )
  const workflow = (workflowId: string) => [step('sub', 'workflow', { workflowId })]
  const { id } = (await save([value('a', 1)], {}, eve)).body.data
  await eve.put(`/v1/workflows/${id}`, { visibility: 'public' })
  await refuses(t, workflow(id), '/definition/steps/0/config/workflowId', /Step sub/, { status: 403 })
  await refuses(t, workflow('workflow_nope'), '/definition/steps/0/config/workflowId', /Step sub/, {
    status: 404
  })
  t.match(await save([step('ask', 'agent', { agentId: '{{ input.agent }}', prompt: 'x' })]), { status: 201 })
})
