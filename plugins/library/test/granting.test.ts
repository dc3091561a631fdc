import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { uploaded } from './testbed.ts'

const booted = await boot(t, 'library')
const { as, anyone, platform, settled } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]
const upload = (name = 'plan.txt', client = ada) => uploaded(booted, client, name, 'what we do')
const grant = (itemId: string, subjectType: string, subjectId: string, level: string, client = ada) =>
  client.post(`/v1/library/${itemId}/grants`, { subjectType, subjectId, level })
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })
const idsOf = async (client: typeof ada, query = '') =>
  (await client.get(`/v1/library${query}`)).body.data.map(({ id }: { id: string }) => id)

t.test('who was granted an item does what its level says, and no more', async (t) => {
  const { id } = await upload()
  const url = `/v1/library/${id}`
  t.match((await ada.get(url)).body.data, { access: 'manage' })
  t.match(await bob.get(url), refuses(403, { code: 'not_owner' }))
  t.match(await grant(id, 'user', 'bob', 'read'), {
    status: 201,
    body: { data: { id: /^grant_/, itemId: id, owner: 'ada', level: 'read', grantedBy: 'ada', version: 1 } }
  })
  t.match(await bob.get(url), { status: 200, body: { data: { owner: 'ada', access: 'read' } } })
  for (const path of ['preview', 'provenance', 'download'])
    t.match(await bob.get(`${url}/${path}`), { status: 200 }, path)
  const asked = { subjectType: 'user', subjectId: 'eve', level: 'read' }
  for (const refused of [
    await bob.patch(url, { name: 'mine' }),
    await bob.delete(url),
    await bob.post(`${url}/grants`, asked),
    await bob.get(`${url}/grants`),
    await bob.post(`${url}/share-links`, {})
  ])
    t.match(refused, refuses(403, { code: 'not_granted' }))

  t.match(await grant(id, 'user', 'bob', 'write'), {
    status: 200,
    body: { data: { level: 'write', version: 2 } }
  })
  t.match(await bob.patch(url, { name: 'ours' }), {
    status: 200,
    body: { data: { name: 'ours', access: 'write' } }
  })
  t.match(await bob.delete(url), refuses(403, { code: 'not_granted' }))
  await grant(id, 'user', 'bob', 'manage')
  t.match(await bob.post(`${url}/share-links`, {}), { status: 201 })
  t.match(await bob.post(`${url}/grants`, asked), { status: 201, body: { data: { grantedBy: 'bob' } } })
  t.match((await ada.get(`${url}/grants`)).body.data, [{ subjectId: 'eve' }, { subjectId: 'bob' }])
  t.match(await bob.delete(url), { status: 200 })
  await settled()
  t.same(await platform.knex('library.item_grant').where({ itemId: id }), [], 'they go with the item')
})

t.test('what is revoked ends at once, signed downloads too', async (t) => {
  const { id } = await upload()
  const url = `/v1/library/${id}`
  const { body } = await grant(id, 'user', 'bob', 'read')
  await grant(id, 'user', 'eve', 'read')
  const revoke = `${url}/grants/${body.data.id}`
  const { pathname } = new URL((await bob.get(`${url}/download`)).body.data.url)
  t.match(await anyone.get(pathname), { status: 200, text: 'what we do' })
  t.match(await eve.delete(revoke), refuses(403, { code: 'not_granted' }), 'who reads takes nothing away')
  t.match(await ada.delete(revoke, { 'if-match': '"7"' }), refuses(412))
  t.match(await ada.delete(revoke), { status: 200, body: { data: { id: body.data.id, deleted: true } } })
  t.match(await bob.get(url), refuses(403))
  t.match(await bob.get(`${url}/preview`), refuses(403))
  t.match(await anyone.get(pathname), refuses(404))
  t.same(await idsOf(bob), [])
  t.match(await ada.delete(revoke), refuses(404))
  const own = (await ada.get(`${url}/grants`)).body.data[0]
  t.match(await eve.delete(`${url}/grants/${own.id}`), { status: 200 }, 'a subject drops its own')
  t.match(await eve.get(url), refuses(403))
})

t.test('a download that began ends, and the rest of it by a range is refused', async (t) => {
  const bytes = randomBytes(32 * 1_048_576)
  const { id } = await uploaded(booted, ada, 'large.bin', bytes)
  const { body } = await grant(id, 'user', 'bob', 'read')
  const signed = (await bob.get(`/v1/library/${id}/download`)).body.data.url
  const url = booted.url + new URL(signed).pathname
  const begun = await fetch(url)
  const reader = begun.body?.getReader()
  const first = await reader?.read()
  await ada.delete(`/v1/library/${id}/grants/${body.data.id}`)
  t.match(await fetch(url, { headers: { range: 'bytes=1048576-' } }), { status: 404 })
  const digest = createHash('sha256').update(first?.value ?? '')
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) digest.update(next.value)
  t.equal(digest.digest('hex'), createHash('sha256').update(bytes).digest('hex'))
})

t.test('lists show what was granted', async (t) => {
  const [kim, lee] = [as('kim'), as('lee')]
  const given = await upload('given.txt', kim)
  const own = await upload('own.txt', lee)
  await grant(given.id, 'user', 'lee', 'read', kim)
  t.same(await idsOf(lee), [own.id, given.id])
  t.same(await idsOf(lee, '?granted=true'), [given.id])
  t.same(await idsOf(lee, '?granted=false'), [own.id])
  t.same(await idsOf(lee, '?q=GIVEN'), [given.id])
  t.same(await idsOf(kim, '?granted=true'), [], 'what is one’s own was granted by nobody')
  t.match((await lee.get('/v1/library')).body.data, [{ access: 'manage' }, { access: 'read' }])
  t.match(await lee.get('/v1/library?granted=perhaps'), refuses(400, { param: 'granted' }))
  await grant(own.id, 'user', 'lee', 'read', lee)
  t.match((await lee.get(`/v1/library/${own.id}`)).body.data, { access: 'manage' }, 'the highest counts')
  t.same(await idsOf(lee), [own.id, given.id], 'and none stands there twice')
})

t.test('a grant is for a principal of the project', async (t) => {
  const { id } = await upload()
  t.match(await grant(id, 'project', 'elsewhere', 'read'), refuses(403, { param: '/subjectId' }))
  t.match(await grant(id, 'agent', 'agent_nope', 'read'), refuses(404, { param: '/subjectId' }))
  t.match(await grant(id, 'user', 'bob', 'own'), refuses(400, { param: '/level' }))
  t.match(await grant(id, 'robot', 'bob', 'read'), refuses(400, { param: '/subjectType' }))
  t.match(await grant(id, 'user', 'a b', 'read'), refuses(400, { param: '/subjectId' }))
  t.match(await grant('item_nope', 'user', 'bob', 'read'), refuses(404))
  t.match(await grant(id, 'user', 'bob', 'read', eve), refuses(403, { code: 'not_owner' }))
  t.match(await ada.delete(`/v1/library/${id}/grants/grant_nope`), refuses(404))
  t.match(await eve.delete(`/v1/library/${id}/grants/grant_nope`), refuses(403))
  t.match(await anyone.post(`/v1/library/${id}/grants`, {}), refuses(401))

  const other = await upload('other.txt')
  const { body } = await grant(other.id, 'project', 'default', 'read')
  t.match(await ada.delete(`/v1/library/${id}/grants/${body.data.id}`), refuses(404), 'of another item')
  t.match(await eve.get(`/v1/library/${other.id}`), { status: 200 }, 'everybody of the project')
  t.match(await as('yves', { project: 'elsewhere' }).get(`/v1/library/${other.id}`), refuses(403))
})

t.test('agents and services with an initiator have what was granted to them, and open nothing', async (t) => {
  const { id } = await upload()
  const url = `/v1/library/${id}`
  const agent = await ada.agent()
  const itself = as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await itself.get(url), refuses(403), 'not all that its owner has')
  await grant(id, 'agent', agent.id, 'manage')
  t.match((await itself.get(url)).body.data, { access: 'write' })
  t.match(await grant(id, 'user', 'eve', 'read', itself), refuses(403, { code: 'agent_principal' }))
  const own = await upload('mine.txt', itself)
  t.match(await grant(own.id, 'user', 'eve', 'read', itself), refuses(403, { code: 'agent_principal' }))
  t.match(
    await itself.post(`/v1/library/${own.id}/share-links`, {}),
    refuses(403, { code: 'agent_principal' })
  )

  const desk = as('desk', { type: 'service' })
  const forBob = { 'x-initiator': 'bob' }
  t.match(await desk.get(url, forBob), refuses(403))
  await grant(id, 'service', 'desk', 'manage')
  t.match((await desk.get(url, forBob)).body.data, { access: 'read' })
  await grant(id, 'user', 'bob', 'write')
  t.match((await desk.get(url, forBob)).body.data, { access: 'write' })

  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  t.same(await platform.knex('library.item_grant').where({ subjectId: agent.id }), [])
})
