import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { createAuthorization } from '../services/authorization.ts'
import { createAuthorizationStore } from '../stores/authorization.ts'
import { principal } from './grants-fixture.ts'
import { assign, puppetStage, registering } from './testbed.ts'

const P = '/v1/tool-permissions'
const TRANSFER = `${P}/transfer-ownership`

t.test('a tool gets another owner', async (t) => {
  const { booted, ada } = await puppetStage(t)
  const { as, anyone, settled, platform, connection } = booted
  const { knex } = platform
  const [eve, zoe] = [as('eve'), as('zoe')]
  const tool = registering(ada)
  const grant = (by: typeof ada, toolId: string, subjectId: string, level = 'use', subjectType = 'user') =>
    by.post(`${P}/grant`, { toolId, subjectType, subjectId, level })
  const placeKey = async (by: typeof ada, toolId: string, name: string) => {
    const key = { name, value: 'sk-0123456789abcdef', allowedHosts: ['example.com'] }
    const { body } = await by.post('/v1/tool-keys', key)
    const mapping = { keyId: body.data.id, toolId, in: 'header', name }
    const mapped = await by.post('/v1/tool-keys/map', mapping)
    if (mapped.status !== 201) throw new Error(JSON.stringify(mapped.body))
    return mapped.body.data.id as string
  }
  const refused = (status: number, param?: string, code?: string) => ({
    status,
    body: { error: { ...(param !== undefined && { param }), ...(code && { code }) } }
  })

  t.test('with its permissions, without what its owner had in it', async (t) => {
    const { id: toolId, name } = await tool()
    const [his, hers] = [await ada.agent(), await eve.agent()]
    await grant(ada, toolId, 'zoe', 'manage')
    await grant(ada, toolId, 'eve')
    await grant(ada, toolId, his.id, 'manage', 'agent')
    await grant(ada, toolId, hers.id, 'use', 'agent')
    await placeKey(ada, toolId, 'x-one')
    await placeKey(ada, toolId, 'x-two')
    const kept = await placeKey(zoe, toolId, 'x-three')
    const elsewhere = await placeKey(ada, (await tool()).id, 'x-four')
    await assign(ada, his, toolId)

    t.match(await eve.post(TRANSFER, { toolId, newOwner: 'eve' }), refused(403, '/toolId', 'not_owner'))
    t.match(await zoe.post(TRANSFER, { toolId, newOwner: 'zoe' }), refused(403, '/toolId', 'not_owner'))
    t.match(await ada.post(TRANSFER, { toolId: name, newOwner: 'eve' }), {
      status: 200,
      body: {
        data: { id: toolId, owner: 'eve', formerOwner: 'ada', mappingsDropped: 2, permissionsDropped: 2 }
      }
    })

    t.match(await eve.get(`/v1/tools/${toolId}`), {
      status: 200,
      body: { data: { owner: 'eve', version: 2 } }
    })
    t.match(await ada.get(`/v1/tools/${toolId}`), { status: 403 })
    t.match(await ada.delete(`/v1/tools/${toolId}`), { status: 403 })
    t.match(await ada.post(TRANSFER, { toolId, newOwner: 'ada' }), { status: 403 })
    t.match(await as(his.id, { type: 'agent' }).get(`/v1/tools/${toolId}`), { status: 403 })
    const checked = await ada.get(`${P}/check-agent-access?agentId=${his.id}&toolId=${toolId}`)
    t.match(checked.body.data, { allowed: false, reason: 'principal', agent: null })
    const left = await eve.get(`${P}/tool/${toolId}`)
    t.same(left.body.data.map(({ subjectId }: { subjectId: string }) => subjectId).sort(), [hers.id, 'zoe'])
    t.same(await knex('tools.permission').where({ toolId }).distinct('owner').pluck('owner'), ['eve'])
    t.same((await knex('tools.key_mapping').pluck('id')).sort(), [kept, elsewhere].sort())

    await settled()
    const facts = await knex('kernel.fact').where({ subject: toolId }).orderBy('id')
    t.match(
      facts.filter(({ name }) => name === 'tools.transferred'),
      [{ owner: 'eve', data: { id: toolId, from: 'ada', to: 'eve', mappingsDropped: 2 } }]
    )
    t.equal(facts.filter(({ name }) => name === 'tools.revoked').length, 2)
  })

  t.test('who had it may go on using it, if that was said', async (t) => {
    const { id: toolId } = await tool()
    t.match(await ada.post(TRANSFER, { toolId, newOwner: 'eve', keepUse: true }), { status: 200 })
    t.match(await ada.get(`/v1/tools/${toolId}`), { status: 200 })
    t.match(await ada.put(`/v1/tools/${toolId}`, { description: 'Mine' }), { status: 403 })
    t.match((await eve.get(`${P}/tool/${toolId}`)).body.data, [
      { subjectType: 'user', subjectId: 'ada', level: 'use', grantedBy: 'ada' }
    ])
  })

  t.test('what is unknown or wrong is refused', async (t) => {
    const { id: toolId } = await tool()
    const agent = await ada.agent()
    const to = (input: object) => ada.post(TRANSFER, { toolId, newOwner: 'eve', ...input })
    t.match(await to({ toolId: 'nothing' }), refused(404, '/toolId'))
    t.match(await to({ toolId: 'act' }), refused(403, '/toolId', 'static_tool'))
    t.match(await to({ newOwner: agent.id }), refused(400, '/newOwner'))
    t.match(await to({ newOwner: 'a b' }), refused(400, '/newOwner'))
    t.match(await to({ keepUse: 'yes' }), refused(400, '/keepUse'))
    t.match(await to({ newOwner: 'ada' }), { status: 409, body: { error: { code: 'already_owner' } } })
    t.match(await ada.post(TRANSFER, { toolId }), refused(400, '/newOwner'))
    t.match(
      await as('ada', { project: 'elsewhere' }).post(TRANSFER, { toolId, newOwner: 'eve' }),
      refused(403, '/toolId', 'not_owner')
    )
    t.match(await anyone.post(TRANSFER, { toolId, newOwner: 'eve' }), { status: 401 })
    await knex('tools.tool').where({ id: toolId }).update({ kind: 'kept' })
    t.match(await to({}), { status: 409, body: { error: { code: 'kept_by_pack' } } })
  })

  t.test(
    'a service hands on for its initiator what is theirs, and by itself what is anybody’s',
    async (t) => {
      const bot = as('bot', { type: 'service' })
      const [one, own] = [await tool(), await tool(bot)]
      const forEve = { 'x-initiator': 'eve' }
      const to = (toolId: string) => ({ toolId, newOwner: 'zoe', keepUse: true })
      t.match(await bot.post(TRANSFER, to(one.id), forEve), refused(403, '/toolId'))
      t.match(await bot.post(TRANSFER, to(own.id), forEve), refused(403, '/toolId'), 'its own it only uses')
      t.match(await bot.post(TRANSFER, to(one.id)), { status: 200, body: { data: { formerOwner: 'ada' } } })
      t.match(await bot.post(TRANSFER, to(own.id)), { status: 200, body: { data: { formerOwner: 'bot' } } })
      t.match((await zoe.get(`${P}/tool/${own.id}`)).body.data, [
        { subjectType: 'service', subjectId: 'bot' }
      ])
      t.match((await zoe.get(`${P}/tool/${one.id}`)).body.data, [{ subjectType: 'user', subjectId: 'ada' }])
    }
  )

  t.test('what is granted or mapped meanwhile is of one owner or of the other', async (t) => {
    for (let round = 0; round < 6; round++) {
      const { id: toolId } = await tool()
      const key = { name: 'k', value: 'sk-0123456789abcdef', allowedHosts: ['example.com'] }
      const keyId = (await ada.post('/v1/tool-keys', key)).body.data.id
      const mapping = { keyId, toolId, in: 'header', name: 'x-key' }
      const [granted, transferred, mapped, again] = await Promise.all([
        grant(ada, toolId, 'zoe', 'manage'),
        ada.post(TRANSFER, { toolId, newOwner: 'eve' }),
        ada.post('/v1/tool-keys/map', mapping),
        ada.post(TRANSFER, { toolId, newOwner: 'zoe' })
      ])
      t.same([transferred.status, again.status].sort(), [200, 403], 'it goes once')
      const [{ owner }] = await knex('tools.tool').where({ id: toolId })
      const permissions = await knex('tools.permission').where({ toolId })
      // The new owner keeps no grant beside owning it.
      if (granted.status === 201 && owner === 'eve')
        t.match(permissions, [{ owner, subjectId: 'zoe', grantedBy: 'ada' }])
      else t.same(permissions, [])
      t.ok([201, 403].includes(granted.status), `granted: ${granted.status}`)
      t.ok([201, 403, 404].includes(mapped.status), `mapped: ${mapped.status}`)
      t.same(await knex('tools.key_mapping').where({ toolId }), [], 'no key of the former owner is left')
      t.match(await grant(ada, toolId, 'ada', 'manage'), { status: 403 })
    }
  })

  t.test('what was revoked or handed on after it was offered is refused when it is called', async (t) => {
    const { hot, close } = openDatabase(connection)
    t.teardown(close)
    const authorization = createAuthorization({
      points: { all: () => [] } as never,
      authorizationStore: createAuthorizationStore({ knex, hot })
    })
    const agent = await ada.agent()
    const { id: toolId } = await tool(eve)
    const permission = (await grant(eve, toolId, 'ada')).body.data
    await assign(ada, agent, toolId)
    const by = principal({ id: 'ada' })
    const offered = async () => {
      const [one] = await authorization.list(by, agent.id)
      return [one?.principal, one?.agent].map((grant) => grant?.permissionId)
    }
    const called = async () => {
      const found = await authorization.find(by, agent.id, toolId)
      return [found?.principal, found?.agent].map((grant) => grant?.permissionId)
    }
    t.same(await offered(), [permission.id, permission.id])
    await eve.delete(`${P}/${permission.id}`)
    t.same(await called(), [undefined, undefined])
    t.same(await offered(), [undefined, undefined])

    const next = (await grant(eve, toolId, agent.id, 'use', 'agent')).body.data
    await grant(eve, toolId, 'default', 'use', 'project')
    t.equal((await offered())[1], next.id, 'the nearer one decides')
    t.match(await eve.post(TRANSFER, { toolId, newOwner: 'ada' }), { status: 200 })
    t.match(await authorization.find(by, agent.id, toolId), {
      tool: { owner: 'ada' },
      principal: { reason: 'ownership' },
      agent: { reason: 'inheritance' }
    })
    const [one] = await authorization.list(by, agent.id)
    t.equal(one?.tool?.owner, 'ada', 'what was remembered is not believed')
  })
})
