import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { assign, puppetStage, registering } from './testbed.ts'

const P = '/v1/tool-permissions'

t.test('who may use which tool', async (t) => {
  const { booted, ada } = await puppetStage(t)
  const { as, anyone, settled, platform } = booted
  const { knex } = platform
  const [eve, zoe] = [as('eve'), as('zoe')]
  const elsewhere = as('ada', { project: 'elsewhere' })
  const bot = as('bot', { type: 'service' })
  const tool = registering(ada)
  const grant = (by: Client, toolId: string, subjectId: string, level = 'use', subjectType = 'user') =>
    by.post(`${P}/grant`, { toolId, subjectType, subjectId, level })
  const check = async (by: Client, query: string) => (await by.get(`${P}/check?${query}`)).body.data
  const refused = (status: number, param?: string, code?: string) => ({
    status,
    body: { error: { ...(param !== undefined && { param }), ...(code && { code }) } }
  })
  const factsOf = async (subject: string) => {
    await settled()
    return knex('kernel.fact').where({ subject }).orderBy('id')
  }

  t.test('a permission is granted, changed, listed, checked and revoked', async (t) => {
    const { id: toolId, name } = await tool()
    t.match(await eve.get(`/v1/tools/${toolId}`), { status: 403 })
    const { status, body } = await grant(ada, name, 'eve')
    t.equal(status, 201)
    const permission = body.data
    t.match(permission, {
      id: /^perm_/,
      toolId,
      subjectType: 'user',
      subjectId: 'eve',
      level: 'use',
      grantedBy: 'ada'
    })
    t.notOk('project' in permission)
    t.match(await eve.get(`/v1/tools/${toolId}`), { status: 200 })
    t.match(await grant(eve, toolId, 'zoe'), refused(403, '/toolId', 'not_granted'), 'use is not manage')

    const same = await grant(ada, toolId, 'eve')
    t.same([same.status, same.body.data], [200, permission])
    t.match(await grant(ada, toolId, 'eve', 'manage'), {
      status: 200,
      body: { data: { id: permission.id, level: 'manage', version: 2 } }
    })
    t.match(await grant(eve, toolId, 'zoe'), { status: 201, body: { data: { grantedBy: 'eve' } } })

    const first = await ada.get(`${P}/tool/${name}?limit=1`)
    t.match(first.body.data, [{ subjectId: 'zoe' }])
    const second = await ada.get(`${P}/tool/${toolId}?limit=1&cursor=${first.body.nextCursor}`)
    t.match(second.body, { data: [{ id: permission.id, level: 'manage' }], nextCursor: null })
    t.match((await eve.get(`${P}/subject`)).body.data, [{ id: permission.id }])

    t.match(await zoe.delete(`${P}/${permission.id}`), refused(403, undefined, 'not_granted'))
    t.match(await ada.delete(`${P}/${permission.id}`), {
      status: 200,
      body: { data: { id: permission.id, deleted: true } }
    })
    t.match(await ada.delete(`${P}/${permission.id}`), { status: 404 })
    t.match(await eve.get(`/v1/tools/${toolId}`), { status: 403 })
    t.match(await eve.get(`${P}/tool/${toolId}`), refused(403, undefined, 'not_granted'))
    const own = (await zoe.get(`${P}/subject`)).body.data[0].id
    t.match(await zoe.delete(`${P}/${own}`), { status: 200 }, 'everybody drops his own')
    t.same(
      (await factsOf(toolId)).map(({ name, data }) => [name, data.subjectId, data.level]),
      [
        ['tools.created', undefined, undefined],
        ['tools.granted', 'eve', 'use'],
        ['tools.granted', 'eve', 'manage'],
        ['tools.granted', 'zoe', 'use'],
        ['tools.revoked', 'eve', 'manage'],
        ['tools.revoked', 'zoe', 'use']
      ]
    )
  })

  t.test('what is another owner’s, unknown or wrong is refused', async (t) => {
    const { id: toolId } = await tool()
    const { body } = await grant(ada, toolId, 'zoe')
    const { id } = body.data
    t.match(await grant(eve, toolId, 'eve'), refused(403, '/toolId', 'not_granted'))
    t.match(await grant(elsewhere, toolId, 'eve'), refused(403, '/toolId', 'not_owner'))
    t.match(await grant(ada, 'nothing', 'eve'), refused(404, '/toolId'))
    t.match(await grant(ada, 'tool_01k4qz0000e0080000000000ab', 'eve'), refused(404, '/toolId'))
    t.match(await grant(ada, 'act', 'eve'), refused(403, '/toolId', 'static_tool'))
    t.match(await grant(ada, toolId, 'agent_nope', 'use', 'agent'), refused(404, '/subjectId'))
    const abroad = await elsewhere.agent()
    t.match(await grant(ada, toolId, abroad.id, 'use', 'agent'), refused(403, '/subjectId', 'not_owner'))
    t.match(await grant(ada, toolId, 'elsewhere', 'use', 'project'), refused(403, '/subjectId', 'not_owner'))
    for (const [field, value] of [
      ['subjectType', 'robot'],
      ['subjectId', ''],
      ['subjectId', 'a b'],
      ['level', 'own'],
      ['toolId', 5]
    ] as const) {
      const input = { toolId, subjectType: 'user', subjectId: 'eve', level: 'use', [field]: value }
      t.match(await ada.post(`${P}/grant`, input), refused(400, `/${field}`), `${field} ${value}`)
    }
    t.match(await ada.post(`${P}/grant`, { toolId }), { status: 400 })
    t.match(await eve.delete(`${P}/${id}`), refused(403, undefined, 'not_granted'))
    t.match(await elsewhere.delete(`${P}/${id}`), refused(403, undefined, 'not_owner'))
    t.match(await ada.delete(`${P}/perm_nope`), { status: 404 })
    t.match(await eve.get(`${P}/tool/${toolId}`), { status: 403 })
    t.match(await elsewhere.get(`${P}/tool/${toolId}`), refused(403, undefined, 'not_owner'))
    t.match(await ada.get(`${P}/tool/nothing`), refused(404, undefined))
    t.match(await ada.get(`${P}/tool/act`), refused(403, undefined, 'static_tool'))
    t.match(await eve.get(`${P}/subject?subjectType=user&subjectId=zoe`), refused(403, 'subjectId'))
    t.match(await eve.get(`${P}/subject?subjectType=service&subjectId=bot`), refused(403, 'subjectId'))
    t.match(await eve.get(`${P}/subject?subjectType=project&subjectId=elsewhere`), refused(403, 'subjectId'))
    t.match(await bot.get(`${P}/subject?subjectType=project&subjectId=elsewhere`), refused(403, 'subjectId'))
    t.match(await eve.get(`${P}/subject?subjectType=user`), refused(400, 'subjectId'))
    t.match(await eve.get(`${P}/subject?subjectId=eve`), refused(400, 'subjectType'))
    t.match(await eve.get(`${P}/subject?subjectType=agent&subjectId=agent_nope`), refused(404, 'subjectId'))
    t.match(await bot.get(`${P}/subject?subjectType=user&subjectId=zoe`), {
      status: 200,
      body: { data: [{ id }] }
    })
    t.match(await eve.get(`${P}/check`), refused(400, 'toolId'))
    t.match(await eve.get(`${P}/check?toolId=nothing`), refused(404, 'toolId'))
    t.match(await eve.get(`${P}/check?toolId=${toolId}&level=own`), refused(400, 'level'))
    t.match(
      await eve.get(`${P}/check?toolId=${toolId}&subjectType=user&subjectId=zoe`),
      refused(403, 'subjectId', 'not_owner')
    )
    for (const path of ['subject', 'accessible-tools', `tool/${toolId}`, `check?toolId=${toolId}`])
      t.match(await anyone.get(`${P}/${path}`), { status: 401 })
    t.match(await grant(anyone, toolId, 'eve'), { status: 401 })
    const narrow = as('ada', { scopes: ['tool-permissions:read'] })
    t.match(await narrow.get(`${P}/subject`), { status: 200 })
    t.match(await grant(narrow, toolId, 'eve'), refused(403, undefined, 'scope_missing'))
  })

  t.test('a batch is granted whole, or not at all', async (t) => {
    const [one, two] = [await tool(), await tool()]
    const hers = await tool(eve)
    const to = (toolId: string, subjectId: string, level = 'use') => ({
      toolId,
      subjectType: 'user',
      subjectId,
      level
    })
    const batch = (...grants: object[]) => ada.post(`${P}/batch-grant`, { grants })
    const granted = async () =>
      (await knex('tools.permission').whereIn('toolId', [one.id, two.id, hers.id])).length

    t.match(
      await batch(to(one.id, 'eve'), to(two.id, 'eve'), to(one.id, 'zoe'), to(hers.id, 'zoe')),
      refused(403, '/grants/3/toolId', 'not_granted')
    )
    t.match(await batch(to(one.id, 'eve'), to('nothing', 'eve')), refused(404, '/grants/1/toolId'))
    t.match(await batch(to(one.id, 'eve'), to('act', 'eve')), refused(403, '/grants/1/toolId', 'static_tool'))
    t.match(
      await batch(to(one.id, 'eve'), { ...to(one.id, 'agent_nope'), subjectType: 'agent' }),
      refused(404, '/grants/1/subjectId')
    )
    t.match(
      await batch(to(one.id, 'eve'), to(two.id, 'eve'), to(one.name, 'eve', 'manage')),
      refused(400, '/grants/2', 'duplicate')
    )
    t.match(await batch(to(one.id, 'eve'), { ...to(one.id, 'zoe'), level: 'own' }), {
      status: 400,
      body: { error: { param: /^\/grants\/1\/level/ } }
    })
    t.match(await batch(), refused(400, '/grants'))
    t.match(
      await batch(...Array.from({ length: 101 }, (_, n) => to(one.id, `user_${n}`))),
      refused(400, '/grants')
    )
    t.equal(await granted(), 0)

    await grant(ada, two.id, 'zoe')
    const { status, body } = await batch(to(two.name, 'zoe', 'manage'), to(one.id, 'zoe'), to(one.id, 'eve'))
    t.equal(status, 201)
    t.match(body.data, [
      { toolId: two.id, subjectId: 'zoe', level: 'manage' },
      { toolId: one.id, subjectId: 'zoe', level: 'use' },
      { toolId: one.id, subjectId: 'eve', level: 'use' }
    ])
    t.equal(await granted(), 3)
    const many = Array.from({ length: 100 }, (_, n) => to(one.id, `user_${n}`))
    t.match(await batch(...many), { status: 201, body: { data: { length: 100 }, nextCursor: null } })
    const again = { grants: [to(one.id, 'eve')] }
    t.match(await eve.post(`${P}/batch-grant`, again), refused(403, '/grants/0/toolId', 'not_granted'))
  })

  t.test('checks tell why, and by which permission', async (t) => {
    const { id: toolId, name } = await tool()
    const at = `toolId=${name}`
    const none = { permissionId: null }
    t.same(await check(ada, `${at}&level=manage`), {
      allowed: true,
      reason: 'ownership',
      level: 'manage',
      ...none
    })
    t.same(await check(eve, at), { allowed: false, reason: 'none', level: null, ...none })
    const { id } = (await grant(ada, toolId, 'default', 'use', 'project')).body.data
    t.same(await check(eve, at), { allowed: true, reason: 'grant', permissionId: id, level: 'use' })
    t.same(await check(eve, `${at}&level=manage`), {
      allowed: false,
      reason: 'level',
      permissionId: id,
      level: 'use'
    })
    t.same(await check(eve, 'toolId=act'), { allowed: true, reason: 'static', level: 'use', ...none })
    t.same(await check(ada, 'toolId=act&level=manage'), {
      allowed: false,
      reason: 'level',
      level: 'use',
      ...none
    })

    const agent = await ada.agent()
    const hers = await eve.agent()
    const about = (subjectType: string, subjectId: string) =>
      `${at}&subjectType=${subjectType}&subjectId=${subjectId}`
    t.match(await check(ada, about('agent', agent.id)), { allowed: true, reason: 'inheritance' })
    t.match(await check(ada, about('agent', hers.id)), { allowed: true, reason: 'grant', permissionId: id })
    t.match(await check(eve, about('agent', hers.id)), { allowed: true }, 'about an agent of one’s own')
    t.match(await check(ada, about('service', 'bot')), { allowed: true, reason: 'ownership' })
    t.match(await check(ada, about('project', 'default')), { allowed: true, permissionId: id })
    t.match(await check(ada, about('user', 'nobody-yet')), { allowed: true, permissionId: id })
    t.match(await ada.get(`${P}/check?${about('agent', 'agent_nope')}`), refused(404, 'subjectId'))
    const narrower = (await grant(ada, toolId, hers.id, 'manage', 'agent')).body.data
    t.match(await check(ada, `${about('agent', hers.id)}&level=manage`), {
      allowed: true,
      permissionId: narrower.id
    })
    t.match(await check(bot, at), { allowed: true, reason: 'ownership', level: 'manage' })
    const acting = await bot.get(`${P}/check?${at}&level=manage`, { 'x-initiator': 'eve' })
    t.match(acting.body.data, { allowed: false, reason: 'level', permissionId: id })
  })

  t.test('an agent’s access is told by the condition that fails', async (t) => {
    const agent = await ada.agent()
    const { id: toolId } = await tool(eve)
    const access = async (by = ada, id: string = toolId) =>
      (await by.get(`${P}/check-agent-access?agentId=${agent.id}&toolId=${id}`)).body.data
    t.same(await access(), {
      allowed: false,
      reason: 'not_assigned',
      policy: null,
      principal: null,
      agent: null
    })
    const { id } = (await grant(eve, toolId, 'ada')).body.data
    const assignment = await assign(ada, agent, toolId, { policy: 'ask' })
    const direct = { reason: 'grant', level: 'use', permissionId: id }
    const inherited = { ...direct, reason: 'inheritance' }
    t.same(await access(), {
      allowed: true,
      reason: 'allowed',
      policy: 'ask',
      principal: direct,
      agent: inherited
    })
    t.match(await access(as(agent.id, { type: 'agent' })), { allowed: true, principal: inherited })

    const set = (fields: object) => ada.patch(`/v1/agents/tools/${assignment.id}`, fields)
    await set({ enabled: false })
    t.match(await access(), { allowed: false, reason: 'disabled' })
    await set({ enabled: true, policy: 'deny' })
    t.match(await access(), { allowed: false, reason: 'denied', policy: 'deny' })
    await set({ policy: 'allow' })
    await knex('tools.tool').where({ id: toolId }).update({ unavailable: 'It changed' })
    t.match(await access(), { allowed: false, reason: 'unavailable' })
    await eve.delete(`${P}/${id}`)
    t.match(await access(), { allowed: false, reason: 'principal', principal: null, agent: null })
    t.match(await access(bot), { allowed: false, reason: 'agent', principal: { reason: 'ownership' } })
    await grant(eve, toolId, agent.id, 'use', 'agent')
    t.match(await access(), { allowed: false, reason: 'principal', agent: { reason: 'grant' } })
    const everyones = { reason: 'static', level: 'use', permissionId: null }
    t.match(await access(ada, 'act'), { reason: 'not_assigned', principal: everyones, agent: everyones })
    await assign(ada, agent, 'act')
    t.match(await access(ada, 'act'), { allowed: true, principal: everyones, agent: everyones })

    const path = `${P}/check-agent-access`
    t.match(await eve.get(`${path}?agentId=${agent.id}&toolId=${toolId}`), refused(403, 'agentId'))
    t.match(await ada.get(`${path}?agentId=agent_nope&toolId=${toolId}`), refused(404, 'agentId'))
    t.match(await ada.get(`${path}?agentId=${agent.id}&toolId=nothing`), refused(404, 'toolId'))
    t.match(await ada.get(`${path}?agentId=${agent.id}`), refused(400, 'toolId'))
  })

  t.test('what one may use is listed with the reason, static tools last', async (t) => {
    const kim = as('kim')
    const [own, lent] = [await tool(kim), await tool()]
    await tool(eve)
    const { id } = (await grant(ada, lent.id, 'kim', 'manage')).body.data
    const everyones = (await knex('tools.permission').where({ subjectType: 'project' })).map(
      ({ toolId }) => toolId
    )
    const all: { id: string; grant: object }[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages++) {
      const page = await kim.get(
        `${P}/accessible-tools?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      )
      t.equal(page.status, 200)
      t.equal(page.body.data.length, 1, 'no empty page, and none that is too long')
      all.push(...page.body.data)
      cursor = page.body.nextCursor
      if (pages > 20) throw new Error('It never ends')
    }
    t.same(
      all.map((it) => it.id),
      [lent.id, own.id, ...everyones.sort().reverse(), 'act', 'ask']
    )
    t.match(all[0], {
      name: lent.name,
      kind: 'http',
      owner: 'ada',
      grant: { reason: 'grant', level: 'manage', permissionId: id }
    })
    t.notOk('config' in (all[0] ?? {}), 'how it is called is not told')
    t.match(all[1]?.grant, { reason: 'ownership', level: 'manage', permissionId: null })
    t.match(all.at(-1), { kind: 'static', owner: null, grant: { reason: 'static', level: 'use' } })
    const whole = await kim.get(`${P}/accessible-tools?limit=100`)
    t.same(whole.body, { data: all, nextCursor: null })
    const ofBot = await bot.get(`${P}/accessible-tools?limit=100`)
    t.equal(
      ofBot.body.data.length,
      Number((await knex('tools.tool').where({ project: 'default' }).count())[0]?.count) + 2
    )
    for (const wrong of ['nope', Buffer.from('static nope').toString('base64url')])
      t.match(await kim.get(`${P}/accessible-tools?cursor=${wrong}`), refused(400, 'cursor'))
  })

  t.test('an agent neither grants nor revokes nor hands on, whatever it was granted', async (t) => {
    const agent = await ada.agent()
    const itself = as(agent.id, { type: 'agent' })
    const { id: toolId } = await tool()
    const { id } = (await grant(ada, toolId, agent.id, 'manage', 'agent')).body.data
    const other = (await grant(ada, toolId, 'eve')).body.data
    t.match(await check(itself, `toolId=${toolId}&level=manage`), { allowed: true })
    t.match(await grant(itself, toolId, 'zoe'), refused(403, '/toolId', 'agent_principal'))
    t.match(await itself.delete(`${P}/${other.id}`), refused(403, undefined, 'agent_principal'))
    t.match(await itself.post(`${P}/transfer-ownership`, { toolId, newOwner: 'zoe' }), { status: 403 })
    t.match((await itself.get(`${P}/subject`)).body.data, [{ id }])
    t.match(await ada.get(`${P}/subject?subjectType=agent&subjectId=${agent.id}`), {
      body: { data: [{ id }] }
    })
    t.match(await itself.delete(`${P}/${id}`), { status: 200 }, 'it may go without')
  })

  t.test('two that grant the same at once grant it once', async (t) => {
    const { id: toolId } = await tool()
    const replies = await Promise.all(
      ['use', 'manage', 'use', 'manage'].map((level) => grant(ada, toolId, 'eve', level))
    )
    t.same(replies.map(({ status }) => status).sort(), [200, 200, 200, 201])
    t.equal((await knex('tools.permission').where({ toolId })).length, 1)
    const others = [await tool(), await tool(), await tool()]
    const grants = others.map(({ id }) => ({
      toolId: id,
      subjectType: 'user',
      subjectId: 'eve',
      level: 'use'
    }))
    const batches = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        ada.post(`${P}/batch-grant`, { grants: n % 2 ? grants : grants.toReversed() })
      )
    )
    t.same(
      batches.map(({ status }) => status).sort(),
      [200, 200, 200, 200, 200, 201],
      'in whatever order they name them'
    )
  })
})
