import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'

const booted = await boot(t, 'knowledge')
const { as, settled, platform } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]

const space = async (fields: object = {}) =>
  (await ada.post('/v1/knowledge', { name: 'Handbook', ...fields })).body.data as { id: string }
const grant = (spaceId: string, subjectType: string, subjectId: string, level: string) =>
  ada.post(`/v1/knowledge/${spaceId}/grants`, { subjectType, subjectId, level })
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

t.test('spaces are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/knowledge',
    create: () => ({ name: 'Handbook' }),
    changes: { name: 'Manual', description: 'How we work' },
    searched: { name: 'Quagga' },
    wrong: { name: 7, description: 1, provider: 'Not One' },
    update: 'patch'
  })
)

t.test('documents are a resource of their space', async (t) => {
  const { id } = await space()
  let pages = 0
  await testResource(t, booted, {
    path: `/v1/knowledge/${id}/documents`,
    create: () => ({ title: `Page ${++pages}`, content: 'Words' }),
    changes: { title: 'Another page', content: 'Other words' },
    wrong: { content: 7, name: 'a/b', folderId: 5 },
    update: 'patch',
    isListed: false
  })
})

t.test('who was granted a space does what its level says, and no more', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}`
  const page = { title: 'Page', content: 'Words' }
  const made = (await ada.post(`${url}/documents`, page)).body.data
  const document = `${url}/documents/${made.id}`

  t.match(await bob.get(url), refuses(403, { code: 'not_owner' }))
  t.match(await bob.get(document), refuses(403))
  t.match(await bob.get(`${url}/documents`), refuses(403))
  t.match(await bob.get(`${url}/folders`), refuses(403))
  const given = await grant(id, 'user', 'bob', 'read')
  t.match(given, { status: 201, body: { data: { spaceId: id, owner: 'ada', level: 'read', version: 1 } } })
  t.match(await bob.get(url), { status: 200, body: { data: { access: 'read' } } })
  t.match((await bob.get('/v1/knowledge')).body.data, [{ id, access: 'read' }])
  t.match((await bob.get(document)).body.data, { content: 'Words' })
  for (const refused of [
    await bob.patch(document, { title: 'Mine' }),
    await bob.post(`${url}/documents`, page),
    await bob.post(`${url}/folders`, { name: 'mine' }),
    await bob.delete(document),
    await bob.patch(url, { name: 'Mine' }),
    await bob.delete(url),
    await bob.post(`${url}/grants`, { subjectType: 'user', subjectId: 'eve', level: 'read' }),
    await bob.get(`${url}/grants`)
  ])
    t.match(refused, refuses(403, { code: 'not_granted' }))

  t.match(await grant(id, 'user', 'bob', 'write'), {
    status: 200,
    body: { data: { level: 'write', version: 2 } }
  })
  t.equal((await bob.patch(document, { title: 'Edited' })).status, 200)
  t.match(await bob.patch(url, { name: 'Mine' }), refuses(403))
  await grant(id, 'user', 'bob', 'manage')
  t.equal((await bob.patch(url, { name: 'Ours' })).status, 200)
  t.equal(
    (await bob.post(`${url}/grants`, { subjectType: 'user', subjectId: 'eve', level: 'read' })).status,
    201
  )
  t.equal((await ada.get(`${url}/grants`)).body.data.length, 2)

  const revoke = `${url}/grants/${given.body.data.id}`
  t.match(await eve.delete(revoke), refuses(403), 'who reads takes nothing away')
  t.match(await ada.delete(revoke, { 'if-match': '"1"' }), refuses(412))
  t.match(await ada.delete(revoke), {
    status: 200,
    body: { data: { id: given.body.data.id, deleted: true } }
  })
  t.match(await bob.get(document), refuses(403), 'at once')
  t.match(await ada.delete(revoke), refuses(404))
})

t.test('a grant is for a principal of the project', async (t) => {
  const { id } = await space()
  t.match(await grant(id, 'project', 'elsewhere', 'read'), refuses(403, { param: '/subjectId' }))
  t.match(await grant(id, 'agent', 'agent_nope', 'read'), refuses(404, { param: '/subjectId' }))
  t.match(await grant(id, 'user', 'bob', 'own'), refuses(400, { param: '/level' }))
  t.match(await grant(id, 'robot', 'bob', 'read'), refuses(400, { param: '/subjectType' }))
  t.match(await grant('space_nope', 'user', 'bob', 'read'), refuses(404))
  t.match(await ada.delete(`/v1/knowledge/${id}/grants/grant_nope`), refuses(404))

  await grant(id, 'project', 'default', 'read')
  t.equal((await eve.get(`/v1/knowledge/${id}`)).status, 200, 'everybody of the project')
  t.match(await as('yves', { project: 'elsewhere' }).get(`/v1/knowledge/${id}`), refuses(403))
})

t.test('an agent and a service with an initiator reach what was granted to them', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}`
  const agent = await ada.agent()
  const itself = as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await itself.get(url), refuses(403), 'not all that its owner has')
  await grant(id, 'agent', agent.id, 'manage')
  t.match((await itself.get(url)).body.data, { access: 'write' })
  const asked = { subjectType: 'user', subjectId: 'eve', level: 'read' }
  t.match(await itself.post(`${url}/grants`, asked), refuses(403, { code: 'agent_principal' }))
  const own = await itself.post('/v1/knowledge', { name: 'Notes' })
  t.match(own.body.data, { owner: 'ada', access: 'write' })
  t.equal(
    (await itself.post(`/v1/knowledge/${own.body.data.id}/documents`, { title: 'A', content: '' })).status,
    201
  )

  const desk = as('desk', { type: 'service' })
  t.match((await desk.get(url)).body.data, { access: 'manage' }, 'a service reaches its project')
  const shared = (await desk.post('/v1/knowledge', { name: 'Shared' })).body.data
  const forBob = { 'x-initiator': 'bob' }
  t.match(await desk.get(url, forBob), refuses(403))
  t.match((await desk.get(`/v1/knowledge/${shared.id}`, forBob)).body.data, { access: 'read' })
  t.match(await desk.patch(`/v1/knowledge/${shared.id}`, { name: 'Bob’s' }, forBob), refuses(403))
  await grant(id, 'service', 'desk', 'manage')
  t.match((await desk.get(url, forBob)).body.data, { access: 'read' })

  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  t.same(await platform.knex('knowledge.space_grant').where({ subjectId: agent.id }), [])
})

t.test('folders lie in folders, and move without a circle', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}/folders`
  const folder = async (name: string, parentId: string | null = null) =>
    (await ada.post(url, { name, parentId })).body.data
  const guides = await folder('guides')
  const setup = await folder('setup', guides.id)
  const linux = await folder('linux', setup.id)
  t.match(linux, { owner: 'ada', spaceId: id, path: 'guides/setup/linux', version: 1 })
  const page = (
    await ada.post(`/v1/knowledge/${id}/documents`, { title: 'Install', content: 'x', folderId: linux.id })
  ).body.data
  t.equal(page.path, 'guides/setup/linux/Install.md')

  for (const parentId of [guides.id, setup.id, linux.id])
    t.match(
      await ada.patch(`${url}/${guides.id}`, { parentId }),
      refuses(400, { param: '/parentId', code: 'cyclic' })
    )
  t.match(await ada.post(url, { name: 'GUIDES' }), refuses(409, { param: '/name', code: 'name_taken' }))
  t.match(await ada.post(url, { name: 'a/b' }), refuses(400, { param: '/name' }))
  t.match(await ada.post(url, { name: '..' }), refuses(400, { param: '/name' }))
  t.match(await ada.post(url, { name: 'x', parentId: 'folder_nope' }), refuses(404, { param: '/parentId' }))
  t.match(await ada.patch(`${url}/folder_nope`, { name: 'x' }), refuses(404))
  t.match(await ada.patch(`${url}/${setup.id}`, { name: 'x' }, { 'if-match': '"7"' }), refuses(412))
  t.match(await eve.patch(`${url}/${setup.id}`, { name: 'x' }), refuses(403))
  t.match(await eve.delete(`${url}/${setup.id}`), refuses(403))
  const other = await space()
  t.match(await ada.patch(`/v1/knowledge/${other.id}/folders/${setup.id}`, { name: 'x' }), refuses(404))

  const moved = await ada.patch(`${url}/${setup.id}`, { name: 'Set up', parentId: null })
  t.match(moved.body.data, { path: 'Set up', parentId: null, version: 2 })
  t.equal(
    (await ada.get(`/v1/knowledge/${id}/documents/${page.id}`)).body.data.path,
    'Set up/linux/Install.md'
  )
  t.match((await ada.get(`${url}?parentId=root`)).body.data, [{ path: 'Set up' }, { path: 'guides' }])
  t.equal((await ada.get(`${url}?limit=1`)).body.data.length, 1)

  let deep = guides
  for (let level = 2; level <= 16; level++) deep = await folder('deeper', deep.id)
  t.match(await ada.post(url, { name: 'x', parentId: deep.id }), refuses(400, { code: 'too_deep' }))
  t.match(await ada.patch(`${url}/${setup.id}`, { parentId: deep.id }), refuses(400, { code: 'too_deep' }))

  t.equal((await ada.delete(`${url}/${setup.id}`)).status, 200)
  const gone = await ada.get(`/v1/knowledge/${id}/documents/${page.id}`)
  t.match(gone, refuses(404, { code: 'document_deleted' }))
  t.match(await ada.delete(`${url}/${linux.id}`), refuses(404))
})

t.test('two moves at the same time make no circle', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}/folders`
  const [a, b] = [
    (await ada.post(url, { name: 'a' })).body.data,
    (await ada.post(url, { name: 'b' })).body.data
  ]
  const moves = await Promise.all([
    ada.patch(`${url}/${a.id}`, { parentId: b.id }),
    ada.patch(`${url}/${b.id}`, { parentId: a.id })
  ])
  t.same(moves.map(({ status }) => status).sort(), [200, 400])
})

t.test('a document keeps what it was, version by version', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}/documents`
  const made = await ada.post(url, { title: 'Price list', content: '10 euros' })
  t.match(made.body.data, {
    name: 'Price list.md',
    path: 'Price list.md',
    mediaType: 'text/markdown',
    size: 8,
    status: 'ready',
    version: 1
  })
  const page = `${url}/${made.body.data.id}`
  await ada.patch(page, { content: '12 euros' })
  t.match(
    (await ada.patch(page, { content: '12 euros' })).body.data,
    { version: 2 },
    'the same text is no edit'
  )
  await ada.patch(page, { title: 'Prices', name: 'prices.md' })
  t.match((await ada.get(page)).body.data, {
    content: '12 euros',
    title: 'Prices',
    path: 'prices.md',
    version: 3
  })
  t.match((await ada.get(`${page}?version=1`)).body.data, {
    content: '10 euros',
    title: 'Price list',
    version: 1
  })
  t.match((await ada.get(`${page}?version=2`)).body.data, { content: '12 euros', title: 'Price list' })
  t.match(await ada.get(`${page}?version=4`), refuses(404))
  t.match(await ada.get(`${page}?version=0`), refuses(400, { param: 'version' }))
  const texts = await platform.knex('knowledge.content').where({ spaceId: id })
  t.equal(texts.length, 2, 'the same text lies there once')

  const both = await Promise.all(
    ['ada', 'bob'].map((name) => ada.patch(page, { content: `by ${name}` }, { 'if-match': '"3"' }))
  )
  t.same(both.map(({ status }) => status).sort(), [200, 412], 'of two writers one is told')
  t.match(
    await ada.post(url, { title: 'x', name: 'PRICES.md', content: '' }),
    refuses(409, { code: 'name_taken' })
  )
  t.match(
    await ada.post(url, { title: 'x', content: '', folderId: 'folder_nope' }),
    refuses(404, { param: '/folderId' })
  )
  t.match(
    await ada.post(url, { title: 'x', content: '', mediaType: 'image/png' }),
    refuses(400, { param: '/mediaType' })
  )
  t.match(await ada.post('/v1/knowledge/space_nope/documents', { title: 'x', content: '' }), refuses(404))

  t.match((await ada.get(`${url}?path=prices.md`)).body.data, [{ title: 'Prices' }])
  t.equal((await ada.get(`${url}?folderId=root&status=ready`)).body.data.length, 1)
  t.equal((await ada.get(url)).body.data[0].content, undefined, 'a list has no texts')
  await ada.delete(page)
  t.match(await ada.get(`${page}?version=1`), refuses(404, { code: 'document_deleted' }))
  t.match(await ada.delete(page), refuses(404))
})

t.test('all of a space goes with it', async (t) => {
  const { id } = await space()
  const { body } = await ada.post(`/v1/knowledge/${id}/folders`, { name: 'a' })
  await ada.post(`/v1/knowledge/${id}/documents`, { title: 'A', content: 'a', folderId: body.data.id })
  await grant(id, 'user', 'bob', 'read')
  t.match(await ada.delete(`/v1/knowledge/${id}`), { status: 200 })
  await settled()
  for (const table of ['space_grant', 'folder', 'document', 'revision', 'content'])
    t.same(await platform.knex(`knowledge.${table}`).where({ spaceId: id }), [], table)
})

t.test('what happened is told', async (t) => {
  const { id } = await space()
  const url = `/v1/knowledge/${id}`
  const folder = (await ada.post(`${url}/folders`, { name: 'a' })).body.data
  await ada.patch(`${url}/folders/${folder.id}`, { name: 'b' })
  const page = (await ada.post(`${url}/documents`, { title: 'A', content: 'a' })).body.data
  await ada.patch(`${url}/documents/${page.id}`, { content: 'b' })
  await ada.delete(`${url}/documents/${page.id}`)
  await ada.delete(`${url}/folders/${folder.id}`)
  const names = await platform
    .knex('kernel.fact')
    .whereIn('subject', [folder.id, page.id])
    .orderBy('id')
    .pluck('name')
  t.same(names, [
    'knowledge.folder_created',
    'knowledge.folder_updated',
    'knowledge.document_created',
    'knowledge.document_updated',
    'knowledge.document_deleted',
    'knowledge.folder_deleted'
  ])
})
