// budget: 10 s, because agents answer one another while others try to get in
// tier: long
import type { Principal } from 'agent-platform'
import sharp from 'sharp'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import type { Subscriptions } from '../services/subscriptions.ts'
import { follow, join, local, make, makeSpace, say, town } from './testbed.ts'

const env = {
  SPACES_AGENT_TURNS: '3',
  SPACES_ANSWERS_PER_MESSAGE: '8',
  LIVEKIT_URL: 'wss://rtc.example.com',
  LIVEKIT_API_KEY: 'APIkey',
  LIVEKIT_API_SECRET: 'a secret of the test that is long enough'
}
const booted = await town(t, { env })
const beside = await town(t, { beside: booted, env })
const { as, url, settled, platform } = booted
const { knex } = platform
const [ada, bob, cy, eve] = [as('ada'), as('bob'), as('cy'), as('eve')]
const refuses = (status: number, code?: string) => ({ status, body: { error: { ...(code && { code }) } } })
const quiet = (spaceIds: readonly string[]) =>
  until(
    async () => {
      await settled()
      return knex('spaces.answer')
        .whereIn('spaceId', [...spaceIds])
        .whereIn('status', ['ordered', 'begun'])
    },
    ({ length }) => length === 0
  )
const bring = async (client: typeof ada, spaceId: string, agentId: string, answers = 'mentioned') =>
  make(client, `/v1/spaces/${spaceId}/members`, { subjectType: 'agent', subjectId: agentId, answers })

t.test('who knows the ids of a private space gets nothing of it, by no way', async (t) => {
  const { id, fleetId } = await makeSpace(ada, { name: 'Treasury' })
  const agent = await ada.agent({ ...local, name: 'Keeper' })
  const member = await bring(ada, id, agent.id, 'never')
  const message = await say(ada, id, 'The code is 4711')
  const [zoe, mill] = [
    as('zoe', { project: 'elsewhere' }),
    as('mill', { type: 'service', project: 'elsewhere' })
  ]
  const [space, said] = [`/v1/spaces/${id}`, `/v1/spaces/${id}/messages/${message.id}`]
  for (const client of [eve, zoe, mill]) {
    for (const path of [
      space,
      `${space}/full`,
      `${space}/members`,
      `${space}/messages`,
      `${space}/messages?query=code`,
      `${space}/messages?replyToId=${message.id}`,
      `${said}/versions`,
      `${said}/attachments/file_1`,
      `${space}/subscribe`,
      `${space}/unsubscribe`,
      `/v1/spaces-stream/${id}/composite.png`,
      `/fleets/${fleetId}/world`,
      `/fleets/${fleetId}/peers?agentId=${agent.id}`
    ]) {
      const reply = await client.get(path)
      t.equal(reply.status, 403, `${client.id}: ${path}`)
      t.notMatch(reply.text, /Treasury|4711|Keeper/)
    }
    for (const [method, path, body] of [
      ['post', `${space}/messages`, { content: 'x' }],
      ['post', `${space}/members`, { subjectType: 'user', subjectId: client.id }],
      ['post', `${space}/rtc-ticket`, {}],
      ['post', `${space}/signals`, { type: 'typing' }],
      ['put', space, { name: 'Mine' }],
      ['put', said, { content: 'x' }],
      ['put', `${space}/members/${member.id}`, { role: 'guest' }],
      ['put', `${said}/reactions/x`, undefined],
      ['delete', said, undefined],
      ['delete', `${space}/members/${member.id}`, undefined],
      ['delete', space, undefined],
      ['post', '/events', { fleetId, agentId: agent.id, type: 'moved' }]
    ] as const)
      t.match(await client[method](path, body as never), { status: 403 }, `${method} ${path}`)
    for (const list of ['/v1/spaces?query=Treasury', '/v1/spaces/public?query=Treasury'])
      t.same((await client.get(list)).body.data, [], list)
  }
  // An id of the one kind is none of the other: their numbers are unique beyond the prefix that they share.
  t.match(await ada.get(`/v1/spaces/${fleetId}`), refuses(404))
  // By an id of another space nothing is reached in it.
  const own = await makeSpace(eve)
  for (const path of [`${said}/versions`, `${said}/attachments/file_1`])
    t.match(await eve.get(path.replace(id, own.id)), refuses(404), path)
  t.match(await eve.delete(said.replace(id, own.id)), refuses(404))
  t.match(await eve.put(`/v1/spaces/${own.id}/members/${member.id}`, { role: 'guest' }), refuses(404))
  t.match(
    await eve.post(`/v1/spaces/${own.id}/messages`, { content: 'x', replyToId: message.id }),
    refuses(404)
  )
  const named = await say(eve, own.id, 'x', { mentions: [member.id] })
  t.same(named.mentions, [], 'nor does a mention reach an agent elsewhere')
})

t.test('who is removed is out of everything within two seconds, and its agents with it', async (t) => {
  const { id, fleetId } = await makeSpace(ada, { name: 'Lodge' })
  const member = await join(ada, id, 'bob', { role: 'admin' })
  const agent = await bob.agent({ ...local, name: 'Spy' })
  await bring(bob, id, agent.id, 'always')
  const run = () =>
    bob.post('/v1/agents/run', {
      agentId: agent.id,
      messages: [{ role: 'user', content: '/call space_read {}' }]
    })
  await say(ada, id, 'The password is swordfish')
  t.match((await run()).text, /swordfish/)
  await quiet([id])
  const readers = [await follow(t, url, bob, id), await follow(t, beside.url, bob, id)]
  for (const reader of readers) await reader.until(({ type }) => type === 'message_posted')
  t.match(await bob.post(`/v1/spaces/${id}/rtc-ticket`, {}), { status: 201 })

  const removed = performance.now()
  await ada.delete(`/v1/spaces/${id}/members/${member.id}`)
  for (const reader of readers) {
    await reader.until(({ type }) => type === 'member_removed')
    t.equal(await reader.frame(), undefined)
  }
  t.ok(performance.now() - removed < 2_000)
  await say(ada, id, 'The password is mackerel')
  for (const path of ['', '/full', '/messages', '/subscribe'])
    t.match(await bob.get(`/v1/spaces/${id}${path}`), refuses(403, 'not_member'), path)
  t.match(await bob.post(`/v1/spaces/${id}/rtc-ticket`, {}), refuses(403, 'not_member'))
  t.match(await bob.get(`/fleets/${fleetId}/world`), refuses(403, 'not_member'))
  t.match(await bob.get(`/v1/spaces-stream/${id}/composite.png`), refuses(403, 'not_member'))
  t.notMatch((await run()).text, /swordfish|mackerel/, 'an agent that it left there reads nothing for it')
  await quiet([id])
  const [last] = await knex('spaces.answer').where({ spaceId: id }).orderBy('id', 'desc').limit(1)
  t.match(last, { status: 'skipped', code: 'not_member' }, 'nor is the agent told')
  const sessions = await knex('sessions.message')
    .where({ project: 'default' })
    .where('content', 'like', '%mackerel%')
  t.same(sessions, [])
})

t.test('who is removed between its request and its stream gets no stream', async (t) => {
  const { id } = await makeSpace(ada, { name: 'Brief' })
  const member = await join(ada, id, 'bob')
  const subscriptions = platform.server.current().packs.get('spaces')?.deps.subscriptions as Subscriptions
  const by = { id: 'bob', owner: 'bob', type: 'user', project: 'default' } as Principal
  const { signal, live } = await subscriptions.find(by, id)
  await ada.delete(`/v1/spaces/${id}/members/${member.id}`)
  const leave = live(() => {})
  const aborted = await until(
    async () => signal.aborted,
    (isAborted) => isAborted
  )
  t.ok(aborted)
  leave()
})

t.test('nobody has another person’s agent always answer', async (t) => {
  const { id } = await makeSpace(ada, { name: 'Till' })
  await join(ada, id, 'bob', { role: 'admin' })
  const agent = await ada.agent({ ...local, name: 'Payer' })
  const member = await bring(ada, id, agent.id, 'never')
  const path = `/v1/spaces/${id}/members/${member.id}`
  t.match(await bob.put(path, { answers: 'always' }), refuses(403, 'agent_of_another'))
  t.match(await bob.put(path, { answers: 'mentioned' }), { status: 200 })
  t.match(await ada.put(path, { answers: 'always' }), { status: 200 })
  t.match(await bob.put(path, { answers: 'never' }), { status: 200 })
})

t.test('a guest reads and reacts, and what it said before it was one stays as it is', async (t) => {
  const { id } = await makeSpace(ada)
  const member = await join(ada, id, 'cy')
  const own = await say(cy, id, 'Before')
  const others = await say(ada, id, 'Of others')
  await ada.put(`/v1/spaces/${id}/members/${member.id}`, { role: 'guest' })
  const path = `/v1/spaces/${id}`
  t.match(await cy.get(`${path}/messages`), { status: 200 })
  t.match(await cy.put(`${path}/messages/${others.id}/reactions/x`), { status: 200 })
  for (const refused of [
    await cy.post(`${path}/messages`, { content: 'x' }),
    await cy.put(`${path}/messages/${own.id}`, { content: 'Something new' }),
    await cy.delete(`${path}/messages/${others.id}`),
    await cy.put(`${path}/members/${member.id}`, { role: 'member' }),
    await cy.post(`${path}/members`, { subjectType: 'user', subjectId: 'eve' }),
    await cy.post(`${path}/signals`, { type: 'speaking' }),
    await cy.put(path, { name: 'Mine' }),
    await cy.delete(path)
  ])
    t.match(refused, refuses(403, 'not_granted'))
  t.match(await cy.delete(`${path}/messages/${own.id}`), { status: 200 }, 'it may take back what it said')
})

t.test('agents in two spaces that quote each other come to an end', async (t) => {
  const [one, two] = [await makeSpace(ada), await makeSpace(ada)]
  for (const name of ['Tick', 'Tock']) {
    const agent = await ada.agent({ ...local, name })
    for (const { id } of [one, two]) await bring(ada, id, agent.id, 'always')
  }
  let content = 'Enough'
  for (let n = 0; n < 10; n++) {
    const spaceId = n % 2 ? one.id : two.id
    content = `/call space_post ${JSON.stringify({ spaceId, content })}`
  }
  const first = await say(ada, two.id, content)
  await quiet([one.id, two.id])
  const said = await knex('spaces.message').whereIn('spaceId', [one.id, two.id])
  t.ok(said.some(({ spaceId, authorType }) => spaceId === one.id && authorType === 'agent'))
  t.same([...new Set(said.map(({ rootId }) => rootId))], [first.id], 'all of it goes back to one message')
  t.ok(Math.max(...said.map(({ turn }) => turn)) <= 3)
  const ordered = await knex('spaces.answer').where({ rootId: first.id })
  t.ok(ordered.length <= 8, `${ordered.length} answers`)
})

t.test('names and reactions without end cost no more than a little', async (t) => {
  const { id } = await makeSpace(ada)
  const rows = Array.from({ length: 900 }, (_, n) => ({
    project: 'default',
    id: `member_${String(n).padStart(26, '0')}`,
    owner: 'ada',
    spaceId: id,
    subjectType: 'user',
    subjectId: `crew-${n}`,
    role: 'guest',
    name: 'crew'.padEnd(4 + (n % 90), 'w'),
    addedBy: 'ada'
  }))
  await knex.batchInsert('spaces.member', rows, 300)
  const text = '@crewx '.repeat(2_800)
  const began = performance.now()
  t.same((await say(ada, id, text)).mentions, [])
  t.equal((await say(ada, id, '@crew '.repeat(3_300))).mentions.length, 10)
  t.equal((await say(ada, id, rows.map(({ subjectId }) => `@${subjectId}`).join(' '))).mentions.length, 50)
  t.ok(performance.now() - began < 5_000)
  const own = await say(ada, id, 'React')
  const reaction = (client: typeof ada, emoji: string) =>
    client.put(`/v1/spaces/${id}/messages/${own.id}/reactions/${encodeURIComponent(emoji)}`)
  const crew = Array.from({ length: 10 }, (_, n) => as(`crew-${n}`))
  await Promise.all(crew.map((client) => reaction(client, '👍')))
  for (let n = 1; n < 20; n++) t.equal((await reaction(ada, `e${n}`)).status, 200)
  t.match(await reaction(ada, 'one too many'.replaceAll(' ', '-')), refuses(409, 'too_many_reactions'))
  t.match(await reaction(ada, 'x'.repeat(33)), refuses(400))
  const [{ reactions }] = (await ada.get(`/v1/spaces/${id}/messages?limit=1`)).body.data
  t.equal(reactions.length, 20)
  t.equal(reactions[0].memberIds.length, 10, 'none that came at the same time is lost')
})

t.test('markup in names and pictures is text, or none', async (t) => {
  const name = '</text><rect width="2000" height="999" fill="#f00"/>'
  const { id } = await makeSpace(ada, { name: name.slice(0, 38) })
  await join(ada, id, 'bob', { name: '</g><a href="x">&lt;]]>' })
  await join(ada, id, 'cy', { name: '\u202e<svg/onload=1>\ufffe' })
  const agent = await ada.agent({ name: '<image href="file:///etc/passwd"/>' })
  await bring(ada, id, agent.id)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
  for (const type of ['image/svg+xml', 'image/png']) {
    const form = new FormData()
    form.set('file', new Blob([svg], { type }), 'a.png')
    const encoded = new Response(form)
    const body = new Uint8Array(await encoded.arrayBuffer())
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const refused = await ada.request('POST', `/v1/agents/${agent.id}/avatar`, { body, headers })
    t.match(refused, { status: /4\d\d/ }, `an avatar that says it is ${type}`)
  }
  const reply = await fetch(`${url}/v1/spaces-stream/${id}/composite.png`, {
    headers: { authorization: `Bearer ${await ada.key()}` }
  })
  t.equal(reply.status, 200)
  t.equal(reply.headers.get('content-type'), 'image/png')
  t.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  const { data, info } = await sharp(Buffer.from(await reply.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]
  t.same(at(2, 2), [26, 27, 30], 'nothing is drawn over the picture')
  t.same(at(info.width - 3, info.height - 3), [26, 27, 30])
})
