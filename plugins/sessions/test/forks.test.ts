import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import type { Appended } from '../contract.ts'
import { fill, fragments, message, sessionOf } from './testbed.ts'

const booted = await boot(t, 'sessions')
const { as, platform } = booted
const { hot, close } = openDatabase(booted.connection)
t.teardown(close)
const [ada, eve] = [as('ada'), as('eve')]

/** Appends messages to a session in one statement, and returns their ids. */
async function append(sessionId: string, messages: readonly Partial<Appended>[]): Promise<readonly string[]> {
  const appended = messages.map((it, offset) => message(sessionId, { ...it, offset } as never))
  await hot.together(
    'test.append',
    {
      extended: fragments.takePositions([{ project: 'default', id: sessionId, count: appended.length }]),
      message: fragments.insertMessages(appended, 'extended')
    },
    'select position from extended'
  )
  return appended.map(({ id }) => id)
}
const messagesOf = async (sessionId: string) =>
  (await ada.get(`/v1/sessions/${sessionId}/full`)).body.data.messages
const contentsOf = async (sessionId: string) =>
  (await messagesOf(sessionId)).map(({ content }: { content: string }) => content)
const fork = (sessionId: string, body: object = {}) => ada.post(`/v1/sessions/${sessionId}/fork`, body)

t.test('a fork contains the messages up to the one that is named, and both go on separately', async (t) => {
  const session = await sessionOf(ada, { title: 'Trip', metadata: { channel: 'web' } })
  t.equal(session.forkedFrom, null)
  const [, second] = await append(session.id, [
    { content: 'Where to?' },
    { role: 'assistant', content: 'Lisbon' },
    { content: 'Too warm' }
  ])

  const { status, body } = await fork(session.id, { afterMessageId: second })
  t.equal(status, 201)
  const { id, forkedFrom, title, metadata, version } = body.data
  t.same(forkedFrom, { sessionId: session.id, messageId: second })
  t.same({ title, metadata, version }, { title: 'Trip', metadata: { channel: 'web' }, version: 1 })
  t.same(await contentsOf(id), ['Where to?', 'Lisbon'])
  const ids = (await messagesOf(id)).map((it: { id: string }) => it.id)
  t.equal(ids[1], second, 'what both share is the same message')

  await append(id, [{ content: 'How do I get there?' }])
  await append(session.id, [{ role: 'assistant', content: 'Oslo' }])
  t.same(await contentsOf(id), ['Where to?', 'Lisbon', 'How do I get there?'])
  t.same(await contentsOf(session.id), ['Where to?', 'Lisbon', 'Too warm', 'Oslo'])
  t.same((await ada.get(`/v1/sessions/${id}`)).body.data.forkedFrom, forkedFrom, 'a session names its origin')
})

t.test('a fork contains all messages by default, and none before the first one', async (t) => {
  const session = await sessionOf(ada, { title: 'Sums' })
  t.same((await fork(session.id)).body.data.forkedFrom, { sessionId: session.id, messageId: null })
  const [, newest] = await append(session.id, [{ content: '1 + 1?' }, { role: 'assistant', content: '2' }])
  const whole = (await fork(session.id, { title: null, metadata: { of: 1 } })).body.data
  t.match(whole, { title: null, metadata: { of: 1 }, forkedFrom: { messageId: newest } })
  t.same(await contentsOf(whole.id), ['1 + 1?', '2'])
  const empty = (await fork(session.id, { afterMessageId: null })).body.data
  t.same(await contentsOf(empty.id), [])
  await append(empty.id, [{ content: '2 + 2?' }])
  t.same(await contentsOf(empty.id), ['2 + 2?'])
})

t.test('a fork after a tool call contains the results of the call', async (t) => {
  const session = await sessionOf(ada)
  const call = (callId: string) => ({ callId, toolName: 'add', args: { a: 1 } })
  const result = (callId: string) =>
    ({ role: 'tool', content: callId, callId, toolName: 'add', isError: false }) as const
  const [, calling] = await append(session.id, [
    { content: 'Add' },
    { role: 'assistant', content: '', toolCalls: [call('call_1'), call('call_2')] },
    result('call_1') as never,
    result('call_2') as never,
    { role: 'assistant', content: 'Done' }
  ])
  const { id } = (await fork(session.id, { afterMessageId: calling })).body.data
  const messages = await messagesOf(id)
  t.same(
    messages.map(({ role, callId }: { role: string; callId?: string }) => callId ?? role),
    ['user', 'assistant', 'call_1', 'call_2']
  )
  t.same(messages[1].toolCalls, [call('call_1'), call('call_2')])
})

t.test('the branches of a conversation are listed from each of them, in pages', async (t) => {
  const session = await sessionOf(ada, { title: 'Root' })
  const [first] = await append(session.id, [{ content: 'A' }, { content: 'B' }])
  const child = (await fork(session.id, { afterMessageId: first, title: 'Child' })).body.data
  const grandchild = (await fork(child.id, { afterMessageId: first, title: 'Grandchild' })).body.data
  const all = [session.id, child.id, grandchild.id].sort()
  for (const id of all) {
    const { data } = (await ada.get(`/v1/sessions/${id}/branches`)).body
    t.same(data.map((it: { id: string }) => it.id).sort(), all)
  }
  const page = (await ada.get(`/v1/sessions/${child.id}/branches?limit=2`)).body
  const rest = (await ada.get(`/v1/sessions/${child.id}/branches?limit=2&cursor=${page.nextCursor}`)).body
  t.same([...page.data, ...rest.data].map((it: { id: string }) => it.id).sort(), all)
  t.equal(rest.nextCursor, null)

  t.match(await ada.delete(`/v1/sessions/${session.id}`), { status: 200 })
  t.same(await contentsOf(grandchild.id), ['A'], 'a fork keeps its messages when its origin is deleted')
  const left = (await ada.get(`/v1/sessions/${grandchild.id}/branches`)).body.data
  t.same(left.map((it: { id: string }) => it.id).sort(), [child.id, grandchild.id].sort())
})

t.test('a fork needs the rights of a change, a known message and valid fields', async (t) => {
  const session = await sessionOf(ada)
  const other = await sessionOf(ada)
  await append(session.id, [{ content: 'A' }])
  const [foreign] = await append(other.id, [{ content: 'B' }])
  for (const path of ['fork', 'branches']) {
    const ask = (client: typeof ada, id: string) =>
      path === 'fork' ? client.post(`/v1/sessions/${id}/fork`, {}) : client.get(`/v1/sessions/${id}/branches`)
    t.match(await ask(eve, session.id), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await ask(ada, 'session_nope'), { status: 404 })
    t.match(await ask(booted.anyone as never, session.id), { status: 401 })
  }
  for (const afterMessageId of ['message_nope', foreign])
    t.match(await fork(session.id, { afterMessageId }), {
      status: 404,
      body: { error: { param: '/afterMessageId' } }
    })
  for (const [param, body] of [
    ['/title', { title: '' }],
    ['/metadata', { metadata: { text: 'x'.repeat(16_384) } }],
    ['/afterMessageId', { afterMessageId: 5 }],
    ['/agentId', { agentId: session.agentId }]
  ] as const)
    t.match(await fork(session.id, body), { status: 400, body: { error: { param } } })
})

t.test('a fork is told by the fact of a new session, without what was said', async (t) => {
  const session = await sessionOf(ada, { title: 'Secret plans' })
  const { id } = (await fork(session.id)).body.data
  const facts = await platform.knex('kernel.fact').where({ subject: id })
  t.match(facts, [{ name: 'sessions.created', data: { id, owner: 'ada' } }])
  t.notMatch(JSON.stringify(facts), 'Secret')
})

t.test('forks are made while the session is extended, and each has a gapless beginning', async (t) => {
  const session = await sessionOf(ada)
  await fill(booted, session.id, 200)
  const [forks] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => fork(session.id))),
    ...Array.from({ length: 5 }, (_, n) => append(session.id, [{ content: `more ${n}` }]))
  ])
  for (const { body } of forks) {
    const contents = await contentsOf(body.data.id)
    const newest = (await messagesOf(body.data.id)).at(-1).id
    t.equal(newest, body.data.forkedFrom.messageId)
    t.ok(contents.length >= 200 && contents.length <= 205, `${contents.length} messages`)
  }
})

t.test('a conversation has 1,000 forks at most', async (t) => {
  const session = await sessionOf(ada)
  await platform.knex.raw(
    `insert into sessions.session (project, id, owner, "agentId", initiator, "rootId")
      select 'default', 'session_fork_' || n, 'ada', ?, 'ada', ? from generate_series(1, 999) n`,
    [session.agentId, session.id]
  )
  const last = await fork(session.id)
  t.equal(last.status, 201)
  t.match(await fork(last.body.data.id), { status: 409, body: { error: { code: 'too_many_forks' } } })
})
