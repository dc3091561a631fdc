import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'

const booted = await boot(t, 'memory', 'embeddings')
const { as, settled, platform } = booted
const ada = as('ada')

t.test('shared scopes are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/memory/shared-scopes',
    isListed: false,
    update: 'patch',
    create: async (client) => ({
      name: 'Sales',
      agents: [{ agentId: (await client.agent()).id, access: 'read' }]
    }),
    changes: { name: 'Marketing', description: 'What customers say', agents: [] },
    wrong: { name: '', agents: [{ agentId: 'agent_x', access: 'own' }] }
  })
)

const scopeOf = async (agents: object[]) =>
  (await ada.post('/v1/memory/shared-scopes', { name: 'Sales', agents })).body.data

t.test('agents share what they know as far as the scope lets them', async (t) => {
  const [writer, reader, stranger] = [await ada.agent(), await ada.agent(), await ada.agent()]
  const scope = await scopeOf([
    { agentId: writer.id, access: 'write' },
    { agentId: reader.id, access: 'read' }
  ])
  const make = (agentId: string, by = ada) =>
    by.post('/v1/memory', { agentId, scopeId: scope.id, content: 'Prices rise in May.' })
  const made = await make(writer.id)
  t.match(made, { status: 201, body: { data: { scopeId: scope.id, agentId: writer.id } } })
  const refused = { status: 403, body: { error: { code: 'scope_not_writable', param: '/scopeId' } } }
  t.match(await make(reader.id), refused)
  t.match(await make(stranger.id), refused)

  const known = async (agentId: string) =>
    (await ada.get(`/v1/memory/agents/${agentId}/retrieve?query=prices`)).body.data
  t.equal((await known(writer.id)).length, 1)
  t.match(await known(reader.id), [{ id: made.body.data.id }])
  t.same(await known(stranger.id), [])
  const list = async (agentId: string, query = '') =>
    (await ada.get(`/v1/memory/agents/${agentId}${query}`)).body.data
  t.equal((await list(reader.id, `?scopeId=${scope.id}`)).length, 1)
  t.same(await list(stranger.id, `?scopeId=${scope.id}`), [])

  const [asWriter, asReader, asStranger] = [writer, reader, stranger].map(({ id }) =>
    as(id, { type: 'agent' })
  )
  const url = `/v1/memory/${made.body.data.id}`
  t.match(await asReader?.get(url), { status: 200 })
  t.match(await asReader?.patch(url, { importance: 1 }), { status: 403 })
  t.match(await asStranger?.get(url), { status: 403 })
  t.match(await asWriter?.patch(url, { importance: 1 }), { status: 200 })
  t.match(await make(writer.id, as('eve')), { status: 403, body: { error: { param: '/agentId' } } })

  const scopesOf = async (agentId: string) =>
    (await ada.get(`/v1/memory/shared-scopes/agents/${agentId}`)).body
  t.match(await scopesOf(reader.id), { data: [{ id: scope.id, access: 'read' }], nextCursor: null })
  t.match(await scopesOf(stranger.id), { data: [] })
  t.match(await as('eve').get(`/v1/memory/shared-scopes/agents/${reader.id}`), { status: 403 })
  t.match(await ada.get('/v1/memory/shared-scopes/agents/agent_nope'), { status: 404 })

  await ada.patch(`/v1/memory/shared-scopes/${scope.id}`, {
    agents: [{ agentId: writer.id, access: 'write' }]
  })
  t.same(await known(reader.id), [], 'an agent that is taken out knows nothing of it from then on')
  t.match(await asReader?.get(url), { status: 403 })
})

t.test('who shares is for people to say, with agents that they may change, each once', async (t) => {
  const [mine, theirs] = [await ada.agent(), await as('eve').agent()]
  const member = (agentId: string) => ({ agentId, access: 'read' })
  const make = (agents: object[], by = ada) => by.post('/v1/memory/shared-scopes', { name: 'All', agents })
  t.match(await make([member(theirs.id)]), { status: 403, body: { error: { param: '/agents/0/agentId' } } })
  t.match(await make([member(mine.id), member(mine.id)]), {
    status: 400,
    body: { error: { param: '/agents/1/agentId' } }
  })
  t.match(await make([member('agent_nope')]), {
    status: 404,
    body: { error: { param: '/agents/0/agentId' } }
  })
  t.match(await make([], as(mine.id, { type: 'agent' })), {
    status: 403,
    body: { error: { code: 'not_for_agents' } }
  })
})

t.test('a scope goes with what is in it; an agent that goes leaves what it shared', async (t) => {
  const [writer, reader] = [await ada.agent(), await ada.agent()]
  const scope = await scopeOf([
    { agentId: writer.id, access: 'write' },
    { agentId: reader.id, access: 'read' }
  ])
  await ada.post('/v1/memory', { agentId: writer.id, scopeId: scope.id, content: 'Prices rise in May.' })
  await ada.delete(`/v1/agents/${writer.id}`)
  await settled()
  const url = `/v1/memory/shared-scopes/${scope.id}`
  t.match((await ada.get(url)).body.data.agents, [{ agentId: reader.id, access: 'read' }])
  const known = async () => (await ada.get(`/v1/memory/agents/${reader.id}/retrieve?query=prices`)).body.data
  t.equal((await known()).length, 1)
  await ada.delete(url)
  await settled()
  t.same(await known(), [])
  t.same(await platform.knex('memory.memory').where({ scopeId: scope.id }), [])
})
