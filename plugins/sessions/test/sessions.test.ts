import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'
import { createMessageStore } from '../stores/messages.ts'
import { fill, say, sessionOf } from './testbed.ts'

t.test('a user talks with an agent in sessions', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as, platform } = booted
  const [ada, eve] = [as('ada'), as('eve')]
  await testResource(t, booted, {
    path: '/v1/sessions',
    create: async (client) => ({ agentId: (await client.agent()).id, metadata: { channel: 'web' } }),
    update: 'patch',
    changes: { title: 'Sums', metadata: { tags: [1] } },
    wrong: { title: 5, metadata: { text: 'x'.repeat(16_384) } },
    isListed: false
  })

  const agent = await ada.agent()
  const created = await ada.post('/v1/sessions', { agentId: agent.id, metadata: { channel: 'web' } })
  const session = created.body.data
  t.match(session, { initiator: 'ada', agentId: agent.id, title: null })
  t.same(session.metadata, { channel: 'web' })
  const path = `/v1/sessions/${session.id}`

  t.test('create', async (t) => {
    const named = await ada.post('/v1/sessions', { agentId: agent.id, title: 'Sums' })
    t.match(named, { status: 201, body: { data: { title: 'Sums', metadata: {} } } })
    for (const [client, agentId, status] of [
      [eve, agent.id, 403],
      [ada, 'agent_nope', 404],
      [ada, undefined, 400]
    ] as const)
      t.match(await client.post('/v1/sessions', { agentId }), {
        status,
        body: { error: { param: '/agentId' } }
      })
    for (const [param, fields] of [
      ['/title', { title: '' }],
      ['/title', { title: 'x'.repeat(201) }],
      ['/metadata', { metadata: [] }],
      ['/metadata', { metadata: { text: 'é'.repeat(8_192) } }],
      ['/version', { version: 1 }]
    ] as const)
      t.match(
        await ada.post('/v1/sessions', { agentId: agent.id, ...fields }),
        { status: 400, body: { error: { param } } },
        JSON.stringify(fields).slice(0, 50)
      )
  })

  t.test('read', async (t) => {
    t.match(await eve.get(path), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await ada.get(`${path}?limit=1`), { status: 400, body: { error: { param: 'limit' } } })
  })

  t.test('update', async (t) => {
    const renamed = await ada.patch(path, { title: 'Sums' })
    t.match(renamed, { status: 200, body: { data: { title: 'Sums', version: 2 } } })
    t.same(renamed.body.data.metadata, { channel: 'web' }, 'what is not named stays')
    const replaced = await ada.patch(path, { ...renamed.body.data, metadata: { tags: [1] } })
    t.same(replaced.body.data.metadata, { tags: [1] }, 'nested objects are replaced')
    const cleared = await ada.patch(path, { title: null, metadata: null }, { 'if-match': '"3"' })
    t.match(cleared, { status: 200, body: { data: { title: null, version: 4 } } })
    t.same(cleared.body.data.metadata, {})
    const full = (await ada.get(`${path}/full`)).body.data
    t.match(
      await ada.patch(path, full),
      { status: 200, body: { data: { version: 4 } } },
      'what was read can be sent back, and changes nothing'
    )
    t.match(await ada.patch(path, {}), { status: 200, body: { data: { version: 4 } } })
  })

  t.test('facts tell who talks with whom, not what about', async (t) => {
    const facts = await platform.knex('kernel.fact').where({ subject: session.id }).orderBy('position')
    t.same(
      facts.map(({ name }) => name),
      ['sessions.created', 'sessions.updated', 'sessions.updated', 'sessions.updated']
    )
    const { title, metadata, forkedFrom, ...told } = session
    t.same(facts[0].data, told)
    t.equal(facts[3].data.version, 4)
  })

  t.test('delete', async (t) => {
    const { hot, close } = openDatabase(booted.connection)
    t.teardown(close)
    await say(hot, session.id, ['Hello', 'Hi'])
    t.match(await ada.delete(path, { 'if-match': '"x"' }), { status: 400 })
    t.match(await ada.delete(path), { status: 200, body: { data: { id: session.id, deleted: true } } })
    for (const gone of [path, `${path}/full`, `/v1/agents/sessions/${session.id}/chat`])
      t.match(await ada.get(gone), { status: 404 }, gone)
    t.same(await platform.knex('sessions.message'), [], 'its messages are gone')
    const [fact] = await platform.knex('kernel.fact').where({ name: 'sessions.deleted', subject: session.id })
    t.match(fact, { subject: session.id, owner: 'ada', data: { id: session.id, agentId: agent.id } })
  })
})

t.test('what was said is read whole, and in pages', async (t) => {
  const booted = await boot(t, 'sessions')
  const { as } = booted
  const [ada, eve] = [as('ada'), as('eve')]
  const session = await sessionOf(ada)
  const [full, chat] = [`/v1/sessions/${session.id}/full`, `/v1/agents/sessions/${session.id}/chat`]
  t.same((await ada.get(full)).body, { data: { ...session, messages: [] } })
  t.same((await ada.get(chat)).body, { data: [], nextCursor: null })

  const { hot, close } = openDatabase(booted.connection)
  t.teardown(close)
  await say(hot, session.id, ['One "quoted"\n', 'Two – ✓', 'Three'], 'run_1')
  await say(hot, session.id, ['Four', 'Five'])
  const all = await ada.get(full)
  t.equal(all.status, 200)
  t.equal(all.headers.get('etag'), '"1"', 'messages are no edits')
  t.match(all.headers.get('content-type'), /^application\/json/)
  const { messages, ...rest } = all.body.data
  t.same(rest, (await ada.get(`/v1/sessions/${session.id}`)).body.data)
  t.ok(rest.updatedAt > session.updatedAt, 'but the session was in use')
  t.same(
    messages.map(({ content }: { content: string }) => content),
    ['One "quoted"\n', 'Two – ✓', 'Three', 'Four', 'Five']
  )
  t.match(messages[0], { sessionId: session.id, runId: 'run_1', role: 'user' })
  t.same(Object.keys(messages[0]), ['id', 'sessionId', 'runId', 'role', 'content', 'createdAt'])
  t.equal(messages[4].runId, null)

  const first = await ada.get(`${chat}?limit=3`)
  t.same(first.body.data, messages.slice(2).reverse(), 'newest first, like every list')
  const second = await ada.get(`${chat}?limit=3&cursor=${first.body.nextCursor}`)
  t.same(second.body, { data: messages.slice(0, 2).reverse(), nextCursor: null })
  const other = await sessionOf(ada)
  for (const bad of [
    `${chat}?cursor=nope`,
    `/v1/agents/sessions/${other.id}/chat?cursor=${first.body.nextCursor}`
  ])
    t.match(await ada.get(bad), { status: 400, body: { error: { param: 'cursor' } } }, bad)

  for (const path of [full, chat]) {
    t.match(await eve.get(path), { status: 403 }, path)
    t.match(await ada.get(path.replace(session.id, 'session_nope')), { status: 404 }, path)
    t.match(await ada.get(`${path}?order=asc`), { status: 400, body: { error: { param: 'order' } } }, path)
  }
  t.match(await as('ada', { scopes: ['agents:run'] }).get(chat), { status: 403 }, 'it takes agents:read')
  t.match(await ada.get(`${chat}?limit=101`), { status: 400, body: { error: { param: 'limit' } } })

  await fill(booted, other.id, 12_345)
  const long = await ada.get(`/v1/sessions/${other.id}/full`)
  t.ok(
    long.body.data.messages.every(({ content }: { content: string }, n: number) =>
      content.startsWith(`${n} `)
    )
  )
  t.equal(long.body.data.messages.length, 12_345)
})

t.test('a history of long messages is read in pages that fit into memory', async (t) => {
  const booted = await boot(t, 'sessions')
  const ada = booted.as('ada')
  const session = await sessionOf(ada)
  await fill(booted, session.id, 5, 300_000)
  const { body } = await ada.get(`/v1/sessions/${session.id}/full`)
  t.same(
    body.data.messages.map(({ content }: { content: string }) => [content.length, content.slice(0, 2)]),
    [0, 1, 2, 3, 4].map((n) => [300_000, `${n} `])
  )
})

t.test('and so is one of long calls; its transcript has shorter pages', async (t) => {
  const booted = await boot(t, 'sessions')
  const ada = booted.as('ada')
  const session = await sessionOf(ada)
  await fill(booted, session.id, 6)
  const toolCalls = JSON.stringify([
    { callId: 'call_1', toolName: 'write', args: { text: 'x'.repeat(300_000) } }
  ])
  await booted.platform
    .knex('sessions.message')
    .where({ sessionId: session.id })
    .update({ role: 'assistant', toolCalls })
  const pages = createMessageStore(booted.platform).listPages('default', session.id)
  t.same(
    (await Array.fromAsync(pages)).map(({ length }) => length),
    [2, 2, 2]
  )

  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ada.get(`/v1/agents/sessions/${session.id}/chat?limit=100${cursor}`)
    t.equal(body.data.length, 2)
    found.push(...body.data.map(({ content }: { content: string }) => content.slice(0, 1)))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  t.same(found, ['5', '4', '3', '2', '1', '0'])
})

t.test('a history that cannot be read is a failure, not half a reply', async (t) => {
  const { as, platform } = await boot(t, 'sessions')
  const ada = as('ada')
  const session = await sessionOf(ada)
  await platform.knex.raw('alter table sessions.message rename to lost')
  const { status, headers, body } = await ada.get(`/v1/sessions/${session.id}/full`)
  t.match({ status, body }, { status: 500, body: { error: { type: 'api_error' } } })
  t.equal(headers.get('etag'), null)
})

t.test('a caller that addresses a session counts against the limit of its agent', async (t) => {
  const booted = await boot(t, 'sessions', { env: { PLATFORM_LIMIT_PER_MINUTE: '12' } })
  const ada = booted.as('ada')
  const session = await sessionOf(ada)
  const ways = ['', '/full'].map((rest) => `/v1/sessions/${session.id}${rest}`)
  ways.push(`/v1/agents/sessions/${session.id}/chat`, `/v1/sessions/list/${session.agentId}/ada`)
  const statuses = new Set<number>()
  for (let n = 0; n < 4; n++) for (const way of ways) statuses.add((await ada.get(way)).status)
  t.same([...statuses], [200, 429])
  for (const way of ways)
    t.match(await ada.get(way), { status: 429, body: { error: { type: 'rate_limit_error' } } })
  t.match(await ada.patch(ways[0] as string, { title: 'x' }), { status: 429 })
  t.match(await ada.get('/v1/sessions/user/ada'), { status: 200 }, 'a list of all agents addresses none')
})
