import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { sessionOf } from './testbed.ts'

const by = (initiator: string) => ({ 'x-initiator': initiator })
const ids = async (client: Client, path: string, headers?: Record<string, string>): Promise<string[]> => {
  const { status, body } = await client.get(path, headers)
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body.data.map(({ id }: { id: string }) => id)
}

t.test('a user lists sessions by agent, by who began them, and by both', async (t) => {
  const { as } = await boot(t, 'sessions')
  const [ada, eve] = [as('ada'), as('eve')]
  const [one, two] = [await ada.agent(), await ada.agent()]
  const ofOne: string[] = []
  for (let n = 0; n < 5; n++) ofOne.unshift((await sessionOf(ada, { agentId: one.id })).id)
  const ofTwo = [(await sessionOf(ada, { agentId: two.id })).id]
  await sessionOf(eve)

  const ways = {
    [`/v1/sessions/agent/${one.id}`]: ofOne,
    '/v1/sessions/user/ada': [...ofTwo, ...ofOne],
    [`/v1/sessions/list/${one.id}/ada`]: ofOne
  }
  for (const [path, expected] of Object.entries(ways)) {
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ada.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    t.same(pages, expected, path)
    t.match(await eve.get(path), { status: 403 }, path)
    t.match(await ada.get(`${path}?limit=0`), { status: 400, body: { error: { param: 'limit' } } })
    t.match(await ada.get(`${path}?cursor=nope`), { status: 400, body: { error: { param: 'cursor' } } })
    t.match(await ada.get(`${path}?owner=ada`), { status: 400, body: { error: { param: 'owner' } } })
  }
  t.same(await ids(ada, `/v1/sessions/agent/${two.id}`), ofTwo)
  t.same(await ids(ada, `/v1/sessions/list/${two.id}/ada`), ofTwo)
  for (const path of ['/v1/sessions/agent/agent_nope', '/v1/sessions/list/agent_nope/ada'])
    t.match(await ada.get(path), { status: 404 }, path)
  t.match(await ada.get(`/v1/sessions/list/${one.id}/eve`), {
    status: 403,
    body: { error: { param: 'initiator' } }
  })
  t.match(await as('ada', { project: 'other' }).get(`/v1/sessions/agent/${one.id}`), { status: 403 })
  t.same(await ids(as('ada', { project: 'other' }), '/v1/sessions/user/ada'), [])
})

t.test('one agent of a service serves all its users', async (t) => {
  const { as } = await boot(t, 'sessions')
  const bot = as('bot', { type: 'service' })
  const agent = await bot.agent()
  const begin = async (headers?: Record<string, string>) =>
    (await bot.post('/v1/sessions', { agentId: agent.id }, headers)).body.data
  const [ofAnn, ofBen, own] = [await begin(by('ann')), await begin(by('ben')), await begin()]
  t.match(ofAnn, { owner: 'ann', initiator: 'ann' })
  t.match(own, { owner: 'bot', initiator: 'bot' })

  const path = (session: { id: string }) => `/v1/sessions/${session.id}`
  t.match(await bot.get(path(ofAnn), by('ann')), { status: 200 })
  t.match(await bot.patch(path(ofAnn), { title: 'Hers' }, by('ann')), { status: 200 })
  t.match(await bot.get(path(ofAnn), by('ben')), { status: 403 })
  t.match(await bot.patch(path(ofAnn), { title: 'His' }, by('ben')), { status: 403 })
  t.match(await bot.get(`${path(ofAnn)}/full`, by('ben')), { status: 403 })
  t.match(await bot.get(`/v1/agents/sessions/${ofAnn.id}/chat`, by('ben')), { status: 403 })
  t.match(await bot.request('DELETE', path(ofAnn), { headers: by('ben') }), { status: 403 })
  t.match(await bot.get(path(own), by('ann')), { status: 200 }, 'its own it reads for anyone')
  t.match(await bot.patch(path(own), { title: 'x' }, by('ann')), { status: 403 }, 'and changes for nobody')
  t.match(await bot.patch(path(ofAnn), { title: 'x' }), { status: 200 }, 'by itself it reaches its project')

  const all = [own.id, ofBen.id, ofAnn.id]
  t.same(await ids(bot, `/v1/sessions/agent/${agent.id}`), all)
  t.same(await ids(bot, `/v1/sessions/agent/${agent.id}`, by('ann')), [own.id, ofAnn.id])
  t.same(await ids(bot, '/v1/sessions/user/ann'), [ofAnn.id])
  t.same(await ids(bot, '/v1/sessions/user/ann', by('ann')), [ofAnn.id])
  t.same(await ids(bot, '/v1/sessions/user/bot', by('ann')), [own.id])
  t.same(await ids(bot, `/v1/sessions/list/${agent.id}/ben`, by('ben')), [ofBen.id])
  t.match(await bot.get('/v1/sessions/user/ann', by('ben')), {
    status: 403,
    body: { error: { param: 'initiator' } }
  })
  const name = 'ann/of the@north.example~'.replaceAll(' ', '-').padEnd(128, 'x')
  const ofName = await begin(by(name))
  t.same(await ids(bot, `/v1/sessions/user/${encodeURIComponent(name)}`), [ofName.id])
  t.match(await bot.delete(path(ofName)), { status: 200 })
})

t.test('an agent reaches its own sessions, no matter who began them', async (t) => {
  const { as } = await boot(t, 'sessions')
  const ada = as('ada')
  const [agent, other] = [await ada.agent(), await ada.agent()]
  const self = as(agent.id, { type: 'agent' })
  const [hers, elsewhere] = [
    await sessionOf(ada, { agentId: agent.id }),
    await sessionOf(ada, { agentId: other.id })
  ]
  const own = await sessionOf(self, { agentId: agent.id })
  t.equal(own.initiator, agent.id)

  t.match(await self.get(`/v1/sessions/${hers.id}`), { status: 200 })
  t.match(await self.get(`/v1/sessions/${elsewhere.id}`), { status: 403 })
  t.match(await self.post('/v1/sessions', { agentId: other.id }), { status: 403 })
  t.same(await ids(self, `/v1/sessions/agent/${agent.id}`), [own.id, hers.id])
  t.same(await ids(self, `/v1/sessions/user/${agent.id}`), [own.id])
  t.match(await self.get('/v1/sessions/user/eve'), { status: 403 })
})
