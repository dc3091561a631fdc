import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { A2ACardResolver } from 'a2a-js'
import t from 'tap'
import { boot } from '../../../test/boot.ts'

const booted = await boot(t, 'a2a', 'skills', 'goals', 'runs')
const { anyone, url } = booted
const [ada, eve] = [booted.as('ada'), booted.as('eve')]

const publicationOf = ({ id }: { id: string }) => `/v1/a2a/${id}/publication`
const cardOf = ({ id }: { id: string }) => `/v1/a2a/${id}/.well-known`

t.test('nobody knows of an agent before its owner publishes it', async (t) => {
  const agent = await ada.agent({ name: 'Ada' })
  for (const path of [
    cardOf(agent),
    `/.well-known/agent.json?agentId=${agent.id}`,
    '/.well-known/agent.json'
  ])
    t.match(await anyone.get(path), { status: 404, body: { error: { type: 'not_found' } } }, path)
  t.match(await ada.get(publicationOf(agent)), { status: 404, body: { error: { code: 'not_published' } } })

  const made = await ada.put(publicationOf(agent), { description: 'Plans trips' })
  t.match(made, { status: 200, body: { data: { agentId: agent.id, owner: 'ada', tools: [], version: 1 } } })
  t.equal(made.headers.get('etag'), '"1"')
  t.match((await anyone.get('/.well-known/agent.json')).body, { name: 'Ada' }, 'it is the only one')
  const card = await anyone.get(cardOf(agent))
  t.match(card, {
    status: 200,
    body: {
      name: 'Ada',
      description: 'Plans trips',
      capabilities: { streaming: true, pushNotifications: true },
      skills: [{ id: 'conversation' }],
      signatures: [{}]
    }
  })
  t.notMatch(card.text, 'ada', 'whose it is is not said')
  const etag = card.headers.get('etag') as string
  t.equal((await anyone.get(cardOf(agent), { 'if-none-match': etag })).status, 304)

  t.match((await ada.get('/v1/a2a/publications')).body.data, [{ agentId: agent.id }])
  t.same((await eve.get('/v1/a2a/publications')).body.data, [])
  t.match((await ada.put(publicationOf(agent), { description: null })).body.data, { version: 2 })
  t.match(await ada.put(publicationOf(agent), {}, { 'if-match': '"1"' }), { status: 412 })
  t.not((await anyone.get(cardOf(agent))).headers.get('etag'), etag)

  t.match(await ada.delete(publicationOf(agent)), { status: 200, body: { data: { deleted: true } } })
  t.match(await anyone.get(cardOf(agent)), { status: 404 })
  t.match(await ada.delete(publicationOf(agent)), { status: 404 })
})

t.test('only its owner publishes an agent, and never the agent itself', async (t) => {
  const agent = await ada.agent()
  for (const work of [
    () => eve.put(publicationOf(agent), {}),
    () => eve.get(publicationOf(agent)),
    () => eve.delete(publicationOf(agent))
  ])
    t.match(await work(), { status: 403, body: { error: { code: 'not_owner' } } })
  const itself = booted.as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await itself.put(publicationOf(agent), {}), { status: 403 })
  t.match(await ada.put('/v1/a2a/agent_nope/publication', {}), { status: 404 })
  t.match(await anyone.get('/v1/a2a/agent_nope/.well-known'), { status: 404 })
  t.match(await anyone.put(publicationOf(agent), {}), { status: 401 })
  for (const [body, param] of [
    [{ tools: ['tool_nope'] }, '/tools/0'],
    [{ skills: ['skill_nope'] }, '/skills/0'],
    [{ tools: 'all' }, '/tools'],
    [{ descripton: 'x' }, '/descripton'],
    [{ description: 'x'.repeat(2_001) }, '/description']
  ] as const)
    t.match(await ada.put(publicationOf(agent), body), { status: 400, body: { error: { param } } })
})

t.test('tools and skills that the owner names are skills of the card while the agent has them', async (t) => {
  const agent = await ada.agent()
  const tool = (await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'report_progress' })).body.data
  t.ok(tool, 'the agent has a tool')
  const skill = (
    await ada.post('/v1/skills', { name: 'refunds', description: 'How refunds work', instructions: 'Pay.' })
  ).body.data
  t.equal((await ada.put(`/v1/skills/${skill.id}/agents/${agent.id}`, { attached: true })).status, 200)
  const changes = { tools: [tool.toolId], skills: [skill.id] }
  t.match(await ada.put(publicationOf(agent), changes), { status: 200, body: { data: changes } })
  t.match((await anyone.get(cardOf(agent))).body.skills, [
    { name: 'report_progress', tags: ['tool'] },
    { id: skill.id, name: 'refunds', description: 'How refunds work', tags: ['skill'] }
  ])
  await ada.delete(`/v1/skills/${skill.id}`)
  t.match((await anyone.get(cardOf(agent))).body.skills, [{ name: 'report_progress' }])
})

t.test('clients of the protocol read the card, old and new, and check its signature', async (t) => {
  const [one, two] = [await ada.agent({ name: 'One' }), await ada.agent({ name: 'Two' })]
  for (const agent of [one, two]) await ada.put(publicationOf(agent), {})
  t.match(await anyone.get('/.well-known/agent.json'), { status: 400, body: { error: { param: 'agentId' } } })
  t.match((await anyone.get(`/.well-known/agent-card.json?agentId=${two.id}`)).body, { name: 'Two' })

  const factory = new ClientFactory()
  const client = await factory.createFromUrl(`${url}/v1/a2a/${one.id}/.well-known/agent-card.json`, '')
  t.equal(client.protocolVersion, '1.0')
  const { keys } = (await anyone.get('/.well-known/jwks.json')).body
  const check = verifyAgentCardSignature(async (kid) => keys.find((key: { kid: string }) => key.kid === kid))
  const card = await client.getAgentCard(undefined, check)
  t.match(card, {
    name: 'One',
    supportedInterfaces: [{ protocolVersion: '1.0' }, { protocolVersion: '0.3' }]
  })
  await t.rejects(check({ ...card, name: 'Mallory' }), /No valid signatures/)

  const old = await new A2ACardResolver(url, `/.well-known/agent.json?agentId=${one.id}`).getAgentCard()
  t.match(old, { name: 'One', authentication: { schemes: ['bearer'] }, capabilities: { streaming: true } })
})

t.test('a publication goes with its agent', async (t) => {
  const agent = await ada.agent()
  await ada.put(publicationOf(agent), {})
  await ada.delete(`/v1/agents/${agent.id}`)
  t.match(await anyone.get(cardOf(agent)), { status: 404 })
  await booted.settled()
  t.same(await booted.platform.knex('a2a.publication').where({ agentId: agent.id }), [])
})
