import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'
import type { RunInfo } from '../../runs/contract.ts'

const booted = await boot(t, 'goals', 'runs', 'tools')
const { as, settled, platform } = booted
const ada = as('ada')

t.test('goals are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/goals',
    create: async (client) => ({ agentId: (await client.agent()).id, title: 'Ship the beta' }),
    changes: { title: 'Ship it', description: 'By May', progress: 40 },
    wrong: { title: '  ', progress: 140, status: 'lost' }
  })
)

t.test('a goal is done at 100 per cent, unless the caller says what it is', async (t) => {
  const { id: agentId } = await ada.agent()
  const input = { agentId, title: 'Ship the beta' }
  const make = async (fields: object) => (await ada.post('/v1/goals', { ...input, ...fields })).body.data
  t.match(await make({}), { status: 'open', progress: 0, description: null })
  t.match(await make({ progress: 100 }), { status: 'done' })
  t.match(await make({ progress: 100, status: 'abandoned' }), { status: 'abandoned' })

  const url = `/v1/goals/${(await make({ progress: 40 })).id}`
  t.match((await ada.put(url, { progress: 100 })).body.data, { status: 'done', progress: 100 })
  t.match((await ada.put(url, { progress: 60 })).body.data, { status: 'open', progress: 60 })
  t.match((await ada.put(url, { status: 'abandoned' })).body.data, { status: 'abandoned', progress: 60 })

  const list = async (query: string) => (await ada.get(`/v1/goals?agentId=${agentId}${query}`)).body.data
  t.equal((await list('')).length, 4)
  t.equal((await list('&status=abandoned')).length, 2)
})

t.test('a goal is for an agent that its maker may change', async (t) => {
  const { id: agentId } = await ada.agent()
  const input = { agentId, title: 'Mine now' }
  t.match(await as('eve').post('/v1/goals', input), { status: 403, body: { error: { param: '/agentId' } } })
  const unknown = { ...input, agentId: 'agent_nope' }
  t.match(await ada.post('/v1/goals', unknown), { status: 404, body: { error: { param: '/agentId' } } })
  const itself = as(agentId, { type: 'agent' })
  t.match(await itself.post('/v1/goals', input), { status: 201, body: { data: { owner: 'ada' } } })
})

t.test('an agent that runs is told of its open goals, and reports how far it is', async (t) => {
  const [{ id: agentId }, other] = [await ada.agent(), await ada.agent()]
  const make = async (fields: object) => (await ada.post('/v1/goals', { agentId, ...fields })).body.data.id
  const source = platform.points.all('runs.context').find(({ pack }) => pack === 'goals')?.value
  const context = async (agentId: string) => {
    const given = await source?.context({ project: 'default', agentId } as RunInfo, '')
    return typeof given === 'object' ? given.changing : given
  }
  const report = async (agent: string, goalId: string) => {
    await ada.post(`/v1/agents/${agent}/tools`, { toolId: 'report_progress' })
    const content = `/call report_progress ${JSON.stringify({ goalId, progress: 100 })}`
    return ada.post('/v1/agents/run', { agentId: agent, messages: [{ role: 'user', content }] })
  }

  t.equal(await context(agentId), undefined)
  const beta = await make({ title: 'Ship the beta', description: 'By May', progress: 40 })
  const docs = await make({ title: 'Write the docs' })
  await make({ title: 'Done', progress: 100 })
  const lines = [`- ${docs} (0 %): Write the docs`, `- ${beta} (40 %): Ship the beta`, '  By May']
  t.equal(await context(agentId), ['Your open goals:', ...lines].join('\n'))
  t.equal(await context(other.id), undefined, 'another agent has its own')

  t.match((await report(agentId, beta)).body.data, { status: 'completed', content: /Ship the beta.*done/s })
  t.match((await report(other.id, docs)).body.data, { content: /goal is of another agent/ })
  t.equal(await context(agentId), `Your open goals:\n${lines[0]}`)
})

t.test('goals go with their agent, also one that is made at the same time', async (t) => {
  const { id: agentId } = await ada.agent()
  const make = () => ada.post('/v1/goals', { agentId, title: 'Ship the beta' })
  const made = await make()
  const [deleted, ...late] = await Promise.all([ada.delete(`/v1/agents/${agentId}`), make(), make(), make()])

  t.equal(deleted.status, 200)
  for (const { status } of late) t.ok([201, 404].includes(status), `made before, or not at all: ${status}`)
  await settled()
  t.equal((await ada.get(`/v1/goals/${made.body.data.id}`)).status, 404)
  t.same(await platform.knex('goals.goal').where({ agentId }), [], 'nothing is left behind')
})
