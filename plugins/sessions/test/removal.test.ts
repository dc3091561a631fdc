import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import { fill, say, sessionOf, waiting } from './testbed.ts'

t.test('sessions go with their agent, however much was said', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as, platform, settled } = booted
  const ada = as('ada')
  const agent = await ada.agent()
  const [long, short, other] = [
    await sessionOf(ada, { agentId: agent.id }),
    await sessionOf(ada, { agentId: agent.id }),
    await sessionOf(ada)
  ]
  await fill(booted, long.id, 1_234)
  await fill(booted, short.id, 2)
  await fill(booted, other.id, 3)

  await ada.delete(`/v1/agents/${agent.id}`)
  t.match(await ada.get(`/v1/sessions/agent/${agent.id}`), { status: 404 })
  await settled()
  for (const { id } of [long, short]) t.match(await ada.get(`/v1/sessions/${id}`), { status: 404 })
  t.same(await platform.knex('kernel.pending_deletion'), [])
  t.same(await platform.knex('sessions.session').pluck('id'), [other.id])
  t.same(await platform.knex('sessions.message').distinct('sessionId').pluck('sessionId'), [other.id])
})

t.test('no session is made for an agent that goes at the same time', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as, platform } = booted
  const ada = as('ada')
  const agent = await ada.agent()

  const going = await platform.knex.transaction()
  await going('agents.agent').where({ id: agent.id }).update({ deletedAt: going.fn.now() })
  const created = ada.post('/v1/sessions', { agentId: agent.id })
  await Promise.race([waiting(booted, 1), created])
  await going.commit()

  t.match(await created, { status: 404, body: { error: { param: '/agentId' } } })
  t.same(await platform.knex('sessions.session'), [])
  t.same(await platform.knex('kernel.fact').where({ name: 'sessions.created' }), [])
})

t.test('nothing is kept for a session that goes at the same time', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as, platform } = booted
  const ada = as('ada')
  const session = await sessionOf(ada)
  const path = `/v1/sessions/${session.id}`
  const { hot, close } = openDatabase(booted.connection)
  t.teardown(close)

  const going = await platform.knex.transaction()
  await going('sessions.session').where({ id: session.id }).delete()
  const said = say(hot, session.id, ['Too late'])
  const requests = [ada.patch(path, { title: 'Late' }), ada.delete(path)]
  await Promise.race([waiting(booted, 3), Promise.all([said, ...requests])])
  await going.commit()

  t.equal(await said, undefined)
  for (const reply of await Promise.all(requests)) t.equal(reply.status, 404)
  t.same(await platform.knex('sessions.message'), [])
})

t.test('what was said until a session goes, goes with it', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as, platform } = booted
  const ada = as('ada')
  const session = await sessionOf(ada)

  const saying = await platform.knex.transaction()
  await saying('sessions.session').where({ id: session.id }).update({ nextPosition: 1 })
  const row = { project: 'default', sessionId: session.id, position: 0, messageId: 'message_1', owner: 'ada' }
  await saying('sessions.message').insert({ ...row, role: 'user', content: 'Just in time' })
  const deleted = ada.delete(`/v1/sessions/${session.id}`)
  await Promise.race([waiting(booted, 1), deleted])
  await saying.commit()

  t.match(await deleted, { status: 200 })
  t.same(await platform.knex('sessions.message'), [])
})
