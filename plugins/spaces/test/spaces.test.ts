// budget: 8 s, because members, messages and agents of a space are tried together
import t from 'tap'
import { testResource } from '../../../test/resource.ts'
import { join, make, makeSpace, say, town } from './testbed.ts'

const booted = await town(t)
const { as, settled, platform } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

t.test('spaces are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/spaces',
    create: () => ({ name: 'Harbour' }),
    changes: { name: 'Port', description: 'Where ships are' },
    searched: { name: 'Quagga' },
    wrong: { name: 5, description: 5, visibility: 'secret' }
  })
)

t.test('members have roles, and the last owner stays', async (t) => {
  const { id, role } = await makeSpace(ada)
  t.equal(role, 'owner')
  const path = `/v1/spaces/${id}/members`
  const [own] = (await ada.get(path)).body.data
  t.match(own, { subjectType: 'user', subjectId: 'ada', role: 'owner', answers: null, isPresent: false })
  const member = await join(ada, id, 'bob')
  t.match(member, { role: 'member', name: 'bob', spaceId: id })
  t.match(await ada.post(path, { subjectType: 'user', subjectId: 'bob' }), refuses(409, 'already_member'))
  t.match(await bob.post(path, { subjectType: 'user', subjectId: 'eve' }), refuses(403, 'not_granted'))
  t.match(await bob.put(`/v1/spaces/${id}`, { name: 'Mine' }), refuses(403, 'not_granted'))
  t.match(await bob.put(`${path}/${own.id}`, { role: 'guest' }), refuses(403, 'not_granted'))
  t.match(await bob.put(`${path}/${member.id}`, { role: 'admin' }), refuses(403, 'not_granted'))
  t.match(await bob.put(`${path}/${member.id}`, { name: 'Bobby' }), {
    status: 200,
    body: { data: { name: 'Bobby', version: 2 } }
  })
  t.match(await ada.put(`${path}/${own.id}`, { role: 'member' }), refuses(409, 'last_owner'))
  t.match(await ada.delete(`${path}/${own.id}`), refuses(409, 'last_owner'))
  t.match(await ada.put(`${path}/${member.id}`, { role: 'admin' }, { 'if-match': '"2"' }), { status: 200 })
  t.match(await ada.put(`${path}/${member.id}`, { role: 'member' }, { 'if-match': '"2"' }), refuses(412))
  t.match(await bob.post(path, { subjectType: 'user', subjectId: 'cy', role: 'owner' }), refuses(403))
  const guest = await join(bob, id, 'cy', { role: 'guest' })
  t.match(await as('cy').post(`/v1/spaces/${id}/messages`, { content: 'Hi' }), refuses(403, 'not_granted'))
  t.match(await bob.put(`${path}/${own.id}`, { role: 'admin' }), refuses(403, 'not_granted'))
  t.match(await ada.put(`${path}/${member.id}`, { role: 'owner' }), { status: 200 })
  t.match(await ada.put(`${path}/${own.id}`, own), { status: 200 }, 'sent back as it was')
  t.match(await ada.delete(`${path}/${own.id}`), { status: 200, body: { data: { deleted: true } } })
  t.match(await ada.get(`/v1/spaces/${id}`), refuses(403, 'not_member'))
  t.match(await bob.delete(`${path}/${guest.id}`), { status: 200 })
  t.match(await bob.delete(`${path}/${guest.id}`), refuses(404))
  const other = await makeSpace(bob)
  t.match(await bob.delete(`/v1/spaces/${other.id}/members/${member.id}`), refuses(404))
  for (const refused of [
    await eve.get(path),
    await eve.post(path, { subjectType: 'user', subjectId: 'eve' }),
    await as('zoe', { project: 'elsewhere', type: 'service' }).get(path)
  ])
    t.match(refused, refuses(403))
  for (const [body, param] of [
    [{ subjectType: 'robot', subjectId: 'x' }, '/subjectType'],
    [{ subjectType: 'user', subjectId: 'a b' }, '/subjectId'],
    [{ subjectType: 'user', subjectId: 'x', role: 'king' }, '/role'],
    [{ subjectType: 'user', subjectId: 'x', answers: 'always' }, '/answers'],
    [{ subjectType: 'user', subjectId: 'x', unheard: 1 }, '/unheard'],
    [{ subjectType: 'agent', subjectId: (await bob.agent()).id, role: 'admin' }, '/role']
  ] as const)
    t.match(await bob.post(path, body), refuses(400, undefined, param), param)
  t.match(
    await bob.post(path, { subjectType: 'agent', subjectId: 'agent_nope' }),
    refuses(404, undefined, '/subjectId')
  )
  const foreign = await eve.agent()
  t.match(
    await bob.post(path, { subjectType: 'agent', subjectId: foreign.id }),
    refuses(403, undefined, '/subjectId')
  )
})

t.test('public spaces are found and joined by everyone in the project', async (t) => {
  const open = await makeSpace(ada, { name: 'Open_100% market', visibility: 'public' })
  const closed = await makeSpace(ada, { name: 'Open_100% cellar' })
  const found = (await eve.get(`/v1/spaces/public?query=${encodeURIComponent('open_100%')}`)).body.data
  t.match(found, [{ id: open.id, role: null }])
  t.match(await eve.get(`/v1/spaces/${open.id}`), { status: 200, body: { data: { role: null } } })
  for (const path of ['messages', 'members', 'full', 'subscribe', 'unsubscribe'])
    t.match(await eve.get(`/v1/spaces/${open.id}/${path}`), refuses(403), path)
  const members = `/v1/spaces/${open.id}/members`
  t.match(await eve.post(members, { subjectType: 'user', subjectId: 'bob' }), refuses(403))
  t.match(await eve.post(members, { subjectType: 'user', subjectId: 'eve', role: 'admin' }), refuses(403))
  t.match(await join(eve, open.id, 'eve'), { role: 'member' })
  t.match(await eve.get(`/v1/spaces/${open.id}/messages`), { status: 200 })
  t.match((await eve.get('/v1/spaces')).body.data, [{ id: open.id, role: 'member' }])
  t.match(await eve.get(`/v1/spaces/${closed.id}`), refuses(403, 'not_member'))
  t.same((await as('zoe', { project: 'elsewhere', type: 'service' }).get('/v1/spaces/public')).body.data, [])
  const service = as('mill', { type: 'service' })
  t.match(await service.get(`/v1/spaces/${closed.id}`), { status: 200, body: { data: { role: 'owner' } } })
  t.match(
    await service.post(`/v1/spaces/${closed.id}/messages`, { content: 'Hi' }),
    refuses(403, 'not_member')
  )
  const acting = { 'x-initiator': 'eve' }
  t.match(await service.get(`/v1/spaces/${closed.id}`, acting), refuses(403))
  t.match(await service.get(`/v1/spaces/${open.id}`, acting), { body: { data: { role: 'member' } } })
})

t.test('messages are posted, answered, edited, searched and deleted', async (t) => {
  const { id } = await makeSpace(ada)
  const member = await join(ada, id, 'bob', { name: 'Bob the builder' })
  const path = `/v1/spaces/${id}/messages`
  const first = await say(ada, id, 'The ship arrives on Tuesday, @Bob the Builder')
  t.match(first, { authorId: 'ada', content: /Tuesday/, version: 1, mentions: [member.id], replyToId: null })
  const reply = await say(bob, id, 'Which ship? @bobby', { replyToId: first.id })
  t.match(reply, { replyToId: first.id, mentions: [] })
  t.same((await ada.get(`${path}?replyToId=${first.id}`)).body.data, [reply])
  t.match((await ada.get(`${path}?query=${encodeURIComponent('ship tuesday')}`)).body.data, [
    { id: first.id }
  ])
  t.same((await ada.get(`${path}?query=${encodeURIComponent('ship -which -tuesday')}`)).body.data, [])
  const [newest] = (await bob.get(`${path}?limit=1`)).body.data
  t.equal(newest.id, reply.id)

  const edited = await bob.put(`${path}/${reply.id}`, { content: 'Which vessel?' }, { 'if-match': '"1"' })
  t.match(edited, { status: 200, body: { data: { content: 'Which vessel?', version: 2 } } })
  t.match(await bob.put(`${path}/${reply.id}`, { content: 'Again' }, { 'if-match': '"1"' }), refuses(412))
  t.match((await ada.get(`${path}/${reply.id}/versions`)).body.data, [
    { version: 1, content: 'Which ship? @bobby' }
  ])
  t.match(await ada.put(`${path}/${reply.id}`, { content: 'Mine' }), refuses(403, 'not_owner'))

  const reaction = `${path}/${first.id}/reactions/${encodeURIComponent('👍')}`
  t.match((await bob.put(reaction)).body.data.reactions, [{ emoji: '👍', memberIds: [member.id] }])
  t.match((await bob.put(reaction)).body.data.reactions, [{ emoji: '👍', memberIds: [member.id] }])
  t.same((await bob.delete(reaction)).body.data.reactions, [])
  t.match(await eve.put(reaction), refuses(403))
  t.match(await bob.put(`${path}/${first.id}/reactions/${encodeURIComponent('<b>')}`), refuses(400))

  t.match(await bob.delete(`${path}/${first.id}`), refuses(403, 'not_granted'))
  t.match(await ada.delete(`${path}/${reply.id}`), { status: 200, body: { data: { deleted: true } } })
  t.match(await ada.delete(`${path}/${reply.id}`), { status: 200 }, 'a tombstone stays one')
  const full = (await ada.get(`/v1/spaces/${id}/full`)).body.data
  t.match(full, {
    name: 'Harbour',
    members: [{ subjectId: 'bob' }, { subjectId: 'ada' }],
    messages: [{ id: first.id }, { id: reply.id, content: null, deletedAt: String }]
  })
  t.match(await ada.put(`/v1/spaces/${id}`, full), { status: 200 }, 'what was read is sent back')
  t.same((await ada.get(`${path}/${reply.id}/versions`)).body.data, [])
  t.match(await bob.put(`${path}/${reply.id}`, { content: 'Back' }), refuses(409, 'message_deleted'))
  t.same((await ada.get(`${path}?query=vessel`)).body.data, [])
  const kept = await platform.knex('kernel.stream_chunk').where({ stream: id }).pluck('body')
  t.notMatch(kept.join('\n'), /Which/, 'the stream forgets it too')
  t.match(kept.join('\n'), /Tuesday/)

  await join(ada, id, 'cy', { role: 'guest' })
  const read = `/v1/spaces/${id}/members/${member.id}`
  t.match(await bob.put(read, { readMessageId: first.id }), {
    status: 200,
    body: { data: { readMessageId: first.id, version: 1 } }
  })
  t.match(await ada.put(read, { readMessageId: reply.id }), refuses(403, 'not_granted', '/readMessageId'))
  const elsewhere = await say(ada, (await makeSpace(ada)).id, 'Hello')
  t.match(await bob.put(read, { readMessageId: elsewhere.id }), refuses(404, undefined, '/readMessageId'))
  t.match(
    await ada.post(path, { content: 'x', replyToId: elsewhere.id }),
    refuses(404, undefined, '/replyToId')
  )
  for (const [body, param] of [
    [{}, '/content'],
    [{ content: ' ' }, '/content'],
    [{ content: 'a\u0000' }, '/content'],
    [{ content: 'x'.repeat(20_001) }, '/content'],
    [{ content: 'x', mentions: [5] }, '/mentions/0'],
    [{ content: 'x', owner: 'eve' }, '/owner']
  ] as const)
    t.match(await ada.post(path, body), refuses(400, undefined, param), JSON.stringify(body).slice(0, 40))
  t.match(await eve.post(path, { content: 'Let me in' }), refuses(403, 'not_member'))
  t.match(await ada.post('/v1/spaces/space_nope/messages', { content: 'x' }), refuses(404))
  t.match(await ada.put(`${path}/${elsewhere.id}`, { content: 'x' }), refuses(404))
  t.match(await ada.get(`${path}/message_nope/versions`), refuses(404))
})

t.test('a file is read by those who may read the message that it is attached to', async (t) => {
  const { id } = await makeSpace(ada)
  await join(ada, id, 'bob')
  const form = new FormData()
  form.set('file', new Blob(['Tides'], { type: 'text/plain' }), 'tides.txt')
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const body = new Uint8Array(await encoded.arrayBuffer())
  const file = (await ada.request('POST', '/v1/files/upload', { body, headers })).body.data
  const message = await say(ada, id, 'See this', { attachments: [{ fileId: file.id }] })
  t.match(message.attachments, [{ fileId: file.id, name: 'tides.txt', size: 5 }])
  const path = `/v1/spaces/${id}/messages/${message.id}/attachments`
  const got = await bob.get(`${path}/${file.id}`)
  t.match(got, { status: 200, text: 'Tides' })
  t.match(got.headers.get('content-disposition'), /^attachment/)
  t.match(await eve.get(`${path}/${file.id}`), refuses(403))
  t.match(await bob.get(`${path}/file_nope`), refuses(404))
  const taken = await bob.post(`/v1/spaces/${id}/messages`, {
    content: 'x',
    attachments: [{ fileId: file.id }]
  })
  t.match(taken, refuses(403, undefined, '/attachments/0/fileId'))
  await ada.delete(`/v1/spaces/${id}/messages/${message.id}`)
  t.match(await bob.get(`${path}/${file.id}`), refuses(404))
})

t.test('a repeated request posts once', async (t) => {
  const { id } = await makeSpace(ada)
  const headers = { 'idempotency-key': 'once' }
  const path = `/v1/spaces/${id}/messages`
  const [one, again] = [
    await ada.post(path, { content: 'x' }, headers),
    await ada.post(path, { content: 'x' }, headers)
  ]
  t.equal(one.body.data.id, again.body.data.id)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal((await ada.get(path)).body.data.length, 1)
})

t.test('a space goes with all that was in it, and an agent leaves with its end', async (t) => {
  const { id } = await makeSpace(ada)
  const agent = await ada.agent()
  await make(ada, `/v1/spaces/${id}/members`, { subjectType: 'agent', subjectId: agent.id })
  const message = await say(ada, id, 'One')
  await ada.put(`/v1/spaces/${id}/messages/${message.id}`, { content: 'Two' })
  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  t.equal((await ada.get(`/v1/spaces/${id}/members`)).body.data.length, 1)
  await ada.delete(`/v1/spaces/${id}`)
  await settled()
  for (const table of ['member', 'message', 'revision', 'answer'])
    t.same(await platform.knex(`spaces.${table}`).where({ spaceId: id }), [], table)
  t.same(await platform.knex('kernel.stream_chunk').where({ stream: id }), [])
  t.match(await ada.get(`/v1/spaces/${id}`), refuses(404))
})
