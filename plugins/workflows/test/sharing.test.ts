import t from 'tap'
import { boot } from '../../../test/boot.ts'

const { as, platform, settled, anyone } = await boot(t, 'workflows', 'toolbox')
const [ada, eve, far] = [as('ada'), as('eve'), as('far', { project: 'elsewhere' })]
const agentId = (await ada.agent()).id

type Fields = Record<string, unknown>
const transform = { id: 'one', type: 'transform', config: { value: 1 } }
const make = async (fields: Fields = {}, client = ada) => {
  const order = { name: 'Triage', visibility: 'public', definition: { steps: [transform] }, ...fields }
  const { status, body } = await client.post('/v1/workflows', order)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

t.test('public workflows are discovered by everyone who has a credential', async (t) => {
  const shown = [await make(), await make({ name: 'Other' }, eve)].map(({ id }) => id)
  await make({ visibility: 'private' })
  for (const client of [ada, far]) {
    const { body } = await client.get('/v1/workflows/public?limit=1')
    const { body: rest } = await client.get(`/v1/workflows/public?limit=1&cursor=${body.nextCursor}`)
    t.same(
      [...body.data, ...rest.data].map(({ id }) => id),
      shown.toReversed()
    )
    t.notOk('definition' in body.data[0] || 'project' in body.data[0])
    t.equal(rest.nextCursor, null)
  }
  t.match(await anyone.get('/v1/workflows/public'), { status: 401 })
  t.match(await ada.get('/v1/workflows/public?limit=0'), { status: 400, body: { error: { param: 'limit' } } })
  t.match(await ada.get('/v1/workflows/public?cursor=x'), {
    status: 400,
    body: { error: { param: 'cursor' } }
  })
})

t.test('a fork is private, begins anew, and has nothing of what was not its maker’s', async (t) => {
  const sub = (await make({ visibility: 'private' })).id
  const steps = [
    { id: 'ask', type: 'agent', config: { agentId, prompt: 'Hello', sessionId: 'session_x' } },
    { id: 'any', type: 'agent', config: { agentId: '{{ input.agent }}', prompt: 'Hello' } },
    {
      id: 'all',
      type: 'parallel',
      config: { steps: [{ id: 'sub', type: 'workflow', config: { workflowId: sub } }] }
    },
    {
      id: 'may',
      type: 'approval',
      config: { message: 'May I?', principals: ['ada'] }
    },
    { ...transform, compensation: { type: 'agent', config: { agentId, prompt: 'Undo' } } }
  ]
  const { id } = await make({ definition: { steps } })
  const { status, body } = await far.post(`/v1/workflows/${id}/fork`, { name: 'Mine' })
  t.equal(status, 201)
  t.match(body.data, { owner: 'far', name: 'Mine', visibility: 'private', version: 1 })
  t.same(body.data.cleared, [
    '/definition/steps/0/config/agentId',
    '/definition/steps/0/config/sessionId',
    '/definition/steps/3/config/principals',
    '/definition/steps/4/compensation/config/agentId',
    '/definition/steps/2/config/steps/0/config/workflowId'
  ])
  t.notOk(JSON.stringify(body.data.definition).includes(agentId))
  t.equal(body.data.definition.steps[1].config.agentId, '{{ input.agent }}')
  t.match(await far.get(`/v1/workflows/${body.data.id}`), { status: 200 })
  t.match(await ada.get(`/v1/workflows/${body.data.id}`), { status: 403 })
  const original = (await ada.get(`/v1/workflows/${id}`)).body.data
  t.same(original.definition.steps, steps, 'the original stays as it is')

  t.match(await far.post(`/v1/workflows/${body.data.id}/execute`, { input: { agent: 'x' } }), {
    status: 409,
    body: { error: { code: 'workflow_incomplete', message: /Step ask: agentId/ } }
  })
  t.match(
    await far.get(`/v1/workflows/${body.data.id}/executions`),
    { body: { data: [] } },
    'nothing has begun'
  )

  const mine = (await far.agent()).id
  const replaced = await far.post(`/v1/workflows/${id}/fork`, { references: { [agentId]: mine } })
  t.equal(replaced.body.data.definition.steps[0].config.agentId, mine)
  t.match(await far.post(`/v1/workflows/${id}/fork`, { references: { [agentId]: sub } }), {
    status: 400,
    body: { error: { param: '/references' } }
  })
  await settled()
  const facts = await platform.knex('kernel.fact').where({ name: 'workflows.forked' })
  t.same(
    facts.map(({ data }) => data.from),
    [id, id]
  )
})

t.test('whom its owner knows is not for those who read a public one', async (t) => {
  const approval = { id: 'may', type: 'approval', config: { message: 'May I?', principals: ['eve'] } }
  const each = { id: 'each', type: 'forEach', config: { items: [1], steps: [approval] } }
  const ask = { id: 'ask', type: 'agent', config: { agentId, prompt: 'x', sessionId: 'session_x' } }
  const open = { ...approval, id: 'open', config: { message: 'x', principals: '{{ input.who }}' } }
  const { id } = await make({ definition: { steps: [ask, each, open] } })
  for (const client of [eve, far]) {
    const { body } = await client.get(`/v1/workflows/${id}`)
    t.same(body.data.definition.steps, [
      { ...ask, config: { agentId, prompt: 'x' } },
      { ...each, config: { items: [1], steps: [{ ...approval, config: { message: 'May I?' } }] } },
      open
    ])
  }
  t.same((await ada.get(`/v1/workflows/${id}`)).body.data.definition.steps, [ask, each, open])
})

t.test('what is not there, not theirs or not right is not forked', async (t) => {
  const hidden = (await make({ visibility: 'private' })).id
  t.match(await eve.post(`/v1/workflows/${hidden}/fork`), { status: 403 })
  t.match(await ada.post(`/v1/workflows/${hidden}/fork`), { status: 201, body: { data: { cleared: [] } } })
  t.match(await eve.post('/v1/workflows/workflow_nope/fork'), { status: 404 })
  t.match(await ada.post(`/v1/workflows/${hidden}/fork`, { name: '' }), {
    status: 400,
    body: { error: { param: '/name' } }
  })
  t.match(await as(agentId, { type: 'agent' }).post(`/v1/workflows/${hidden}/fork`), { status: 403 })
})

t.test('a definition is drawn, and no name gets out of its label', async (t) => {
  const evil = 'x"]; click step_a "javascript:alert(1)" %% <script> `#quot;` end --> [b|c] \\ {d}'
  const steps = [
    { ...transform, id: 'end', name: evil },
    {
      id: 'isOk',
      type: 'condition',
      dependsOn: ['end'],
      config: { if: '{{ input }}', then: ['may'], else: ['subgraph'] },
      onError: { step: 'sorry' }
    },
    { id: 'may', type: 'approval', config: { message: 'x', onReject: 'sorry' }, dependsOn: ['isOk'] },
    { ...transform, id: 'sorry' },
    {
      id: 'subgraph',
      type: 'parallel',
      config: {
        steps: [
          { ...transform, id: 'in1', name: evil },
          { ...transform, id: 'in2', dependsOn: ['in1'] }
        ]
      }
    },
    {
      ...transform,
      id: 'last',
      dependsOn: ['subgraph'],
      compensation: { type: 'transform', config: { value: 1 } }
    }
  ]
  const { id } = await make({ definition: { steps } })
  const { status, text, headers } = await eve.get(`/v1/workflows/${id}?format=mermaid`)
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/vnd.mermaid; charset=utf-8')
  const LABEL = '"(?:[\\p{L}\\p{N} _.,:()/-]|#\\d+;|<br/>)*"'
  const lines = [
    /^flowchart TD$/,
    new RegExp(
      `^ +step_\\w+(?:\\[${LABEL}\\]|\\{${LABEL}\\}|\\(\\[${LABEL}\\]\\)|\\[\\[${LABEL}\\]\\])$`,
      'u'
    ),
    new RegExp(`^ +subgraph step_\\w+ \\[${LABEL}\\]$`, 'u'),
    /^ +end$/,
    /^ +step_\w+ (?:-->|-->\|(?:then|else)\||-\.->\|(?:failed|rejected|undone by)\|) step_\w+$/,
    /^$/
  ]
  for (const line of text.split('\n'))
    t.ok(
      lines.some((pattern) => pattern.test(line)),
      line
    )
  for (const line of [
    '  step_end --> step_isOk',
    '  step_isOk -->|then| step_may',
    '  step_isOk -->|else| step_subgraph',
    '  step_isOk -.->|failed| step_sorry',
    '  step_may -.->|rejected| step_sorry',
    '    step_in1 --> step_in2',
    '  step_last -.->|undone by| step_last_undone'
  ])
    t.ok(text.includes(`\n${line}\n`), line)
  t.notOk(text.includes('step_isOk --> step_may'), 'a branch is drawn once')
  t.match(await eve.get(`/v1/workflows/${id}?format=png`), {
    status: 400,
    body: { error: { param: 'format' } }
  })
  t.match(await eve.get('/v1/workflows/workflow_nope?format=mermaid'), { status: 404 })
})
