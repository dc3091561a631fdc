import t from 'tap'
import { boot } from '../boot.ts'
import { refused } from './refused.ts'

const by = (initiator: string) => ({ 'x-initiator': initiator })

t.test('a service acts for others', async (t) => {
  const { as } = await boot(t, 'goals')
  const bot = as('bot', { type: 'service' })
  const own = await bot.agent()
  const made = await bot.post('/v1/agents', { name: 'Of ann' }, by('ann'))
  t.match(made, { status: 201, body: { data: { owner: 'ann' } } })
  const ofAnn = `/v1/agents/${made.body.data.id}`

  t.match(await bot.get(ofAnn, by('ann')), { status: 200 })
  t.match(await bot.put(ofAnn, { name: 'x' }, by('ann')), { status: 200 })
  t.match(await bot.get(ofAnn), { status: 200 }, 'by itself it reaches its whole project')
  t.match(await bot.put(ofAnn, { name: 'y' }), { status: 200 })
  refused(t, await bot.get(ofAnn, by('ben')), 403, { code: 'not_owner' })
  refused(t, await bot.put(ofAnn, { name: 'x' }, by('ben')), 403)
  t.match(await bot.get(`/v1/agents/${own.id}`, by('ann')), { status: 200 }, 'its own it reads for anyone')
  refused(
    t,
    await bot.put(`/v1/agents/${own.id}`, { name: 'x' }, by('ann')),
    403,
    {},
    'and changes for no initiator'
  )
  refused(t, await bot.delete(`/v1/agents/${own.id}`, by('ann')), 403)

  const names = async (headers?: Record<string, string>, query = '') =>
    (await bot.get(`/v1/agents${query}`, headers)).body.data
      .map(({ owner }: { owner: string }) => owner)
      .sort()
  t.strictSame(await names(by('ann')), ['ann', 'bot'])
  t.strictSame(await names(by('ben')), ['bot'])
  t.strictSame(await names(), ['ann', 'bot'])
  t.strictSame(await names(by('ann'), '?owner=ann'), ['ann'])
  refused(t, await bot.get('/v1/agents?owner=ann', by('ben')), 403, { param: 'owner' })
  t.match(await bot.get('/v1/auth/me', by('ann')), {
    body: { data: { principalId: 'bot', principalType: 'service', owner: 'ann', initiator: 'ann' } }
  })
})

t.test('an initiator is a name, and only a service has one', async (t) => {
  const { as } = await boot(t, 'goals')
  const bot = as('bot', { type: 'service' })
  for (const good of ['a', 'ann@example.com', '~'.repeat(128), 'a,b'])
    t.match(
      await bot.get('/v1/auth/me', by(good)),
      { status: 200, body: { data: { initiator: good } } },
      good
    )
  for (const bad of ['', 'a b', 'a'.repeat(129), 'zoë', 'a\tb'])
    refused(t, await bot.get('/v1/auth/me', by(bad)), 400, { param: 'x-initiator' }, bad)
  for (const principal of [{ type: 'user' }, { type: 'agent', owner: 'ada' }] as const)
    refused(
      t,
      await as(`some-${principal.type}`, principal).get('/v1/auth/me', by('ann')),
      403,
      { code: 'initiator_refused' },
      principal.type
    )
})

t.test('no principal crosses projects', async (t) => {
  const { as } = await boot(t, 'goals')
  const here = as('bot', { type: 'service', project: 'here' })
  const there = as('bot', { type: 'service', project: 'there' })
  const agent = await here.agent()
  refused(t, await there.get(`/v1/agents/${agent.id}`), 403)
  refused(t, await there.get(`/v1/agents/${agent.id}`, by('bot')), 403)
  refused(t, await as('bot-user', { project: 'there' }).get(`/v1/agents/${agent.id}`), 403)
  t.strictSame((await there.get('/v1/agents')).body.data, [])
  refused(t, await there.post('/v1/goals', { agentId: agent.id, title: 'x' }), 403, { param: '/agentId' })
})

t.test('an agent reaches itself', async (t) => {
  const { as } = await boot(t, 'goals')
  const ada = as('ada')
  const [agent, other] = [await ada.agent(), await ada.agent()]
  const self = as(agent.id, { type: 'agent' })
  t.match(await self.get(`/v1/agents/${agent.id}`), { status: 200 })
  refused(t, await self.get(`/v1/agents/${other.id}`), 403)
  t.strictSame(
    (await self.get('/v1/agents')).body.data.map(({ id }: { id: string }) => id),
    [agent.id]
  )
})
