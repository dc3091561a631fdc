import { firstIdAt, newId } from 'agent-platform'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client, Reply } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'

const { as, anyone, platform } = await boot(t, 'denials', 'agents', 'packs')
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]

/** As its owner reads it, once it is written. */
async function denialOf(owner: Client, { body }: Pick<Reply, 'body'>) {
  const { data } = await until(
    async () => (await owner.get(`/v1/denials?requestId=${body.error.requestId}`)).body,
    (page) => page.data.length > 0
  )
  return data[0]
}

t.test('the owner reads who asked for what, and what would let it through', async (t) => {
  const agent = await ada.agent()
  const refused = await eve.get(`/v1/agents/${agent.id}`)
  t.match(refused, { status: 403, body: { error: { code: 'not_owner' } } })
  t.notMatch(refused.text, /ada/, 'the caller is not told whose it is')

  const denial = await denialOf(ada, refused)
  t.match(denial, {
    ...{ owner: 'ada', method: 'GET', route: '/v1/agents/:agentId', code: 'not_owner', param: null },
    requestId: refused.headers.get('x-request-id'),
    caller: { id: 'eve', type: 'user', initiator: null, scopes: null },
    resource: { what: 'Agent', id: agent.id },
    explanation: `eve asked for the agent ${agent.id}, which belongs to ada. A user reaches what it owns and what it was granted.`
  })
  t.equal(denial.remedies.length, 2)
  t.same((await ada.get(`/v1/denials/${denial.id}`)).body.data, denial)
  t.match((await ada.get('/v1/denials?code=not_owner')).body.data, [{ id: denial.id }])
  t.same((await ada.get('/v1/denials?code=scope_missing')).body.data, [])
  t.match((await as('crm', { type: 'service' }).get(`/v1/denials/${denial.id}`)).status, 200)
})

t.test('nobody else does', async (t) => {
  const agent = await ada.agent()
  const denial = await denialOf(ada, await eve.delete(`/v1/agents/${agent.id}`))
  const path = `/v1/denials/${denial.id}`
  t.same((await eve.get('/v1/denials')).body.data, [], 'not the caller')
  t.match(await eve.get(path), { status: 403, body: { error: { code: 'not_owner' } } })
  t.match(await as('ada', { project: 'other' }).get(path), { status: 403 })
  t.match(await ada.get(`/v1/denials/${newId('denial')}`), { status: 404 })
  t.match(await ada.get('/v1/denials?codes=x'), { status: 400, body: { error: { param: 'codes' } } })
  t.match(await ada.get('/v1/denials?limit=0'), { status: 400, body: { error: { param: 'limit' } } })
  t.equal((await anyone.get('/v1/denials')).status, 401)
})

t.test('of a caller of another project it is told nothing but that', async (t) => {
  const agent = await ada.agent()
  const refused = await as('mallory', { project: 'other' }).get(`/v1/agents/${agent.id}`)
  const denial = await denialOf(ada, refused)
  t.match(denial, { caller: null, explanation: /A caller of another project asked for the agent/ })
  t.notMatch(JSON.stringify(denial), /mallory/)
})

t.test('what the credential lacks concerns its owner', async (t) => {
  const reader = as('ada', { scopes: ['agents:read'] })
  const scope = await denialOf(ada, await reader.post('/v1/agents', { name: 'Ada' }))
  t.match(scope, {
    ...{ owner: 'ada', code: 'scope_missing', resource: null, caller: { scopes: ['agents:read'] } },
    explanation: 'The key of ada was narrowed to agents:read. The credential lacks the scope agents:create.'
  })
  const initiator = await denialOf(ada, await ada.get('/v1/agents', { 'x-initiator': 'max' }))
  t.match(initiator, { code: 'initiator_refused', explanation: /named an initiator/ })
  const operators = await denialOf(ada, await ada.get('/v1/packs'))
  t.match(operators, { code: 'scope_missing', explanation: /never implied/ })
})

t.test('agents and services are told by their own rules', async (t) => {
  const [mine, other] = await Promise.all([ada.agent(), ada.agent()])
  const itself = as(mine.id, { type: 'agent', owner: 'ada' })
  const asked = await denialOf(ada, await itself.get(`/v1/agents/${other.id}`))
  t.match(asked, { caller: { type: 'agent' }, explanation: /An agent reaches itself/ })
  const service = as('crm', { type: 'service' })
  const agent = await service.agent()
  const changed = await service.put(`/v1/agents/${agent.id}`, { name: 'x' }, { 'x-initiator': 'max' })
  const denial = await denialOf(service, changed)
  t.match(denial, { owner: 'crm', caller: { initiator: 'max' }, explanation: /For max the service changes/ })
})

t.test('a flood is not written down, and what is old goes', async (t) => {
  const [flooded] = await Promise.all([ada.agent()])
  const mallory = as('mallory')
  const replies = await Promise.all(Array.from({ length: 80 }, () => mallory.get(`/v1/agents/${flooded.id}`)))
  t.ok(replies.every(({ status }) => status === 403))
  const count = async () =>
    Number((await knex('denials.denial').whereRaw(`caller->>'id' = 'mallory'`).count())[0]?.count)
  await until(count, (n) => n >= 60)
  // A minute may have begun in between.
  t.ok((await count()) <= 79, `${await count()} of 80`)

  const old = firstIdAt('denial', Date.now() - 31 * 86_400_000)
  await knex('denials.denial')
    .whereRaw(`caller->>'id' = 'mallory'`)
    .update({ id: knex.raw(`? || substr(id, ?)`, [old.slice(0, -9), old.length - 8]) })
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === 'denials.clean-up')
  await worker?.value.work({}, AbortSignal.timeout(60_000))
  t.equal(await count(), 0)
  t.ok((await ada.get('/v1/denials')).body.data.length > 0, 'what is not old stays')
})
