// budget: 6 s, because previews are made by another process
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { uploaded } from './testbed.ts'

const booted = await boot(t, 'library')
const { as, anyone, platform, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const upload = (name: string, bytes: Uint8Array | string, client = ada) =>
  uploaded(booted, client, name, bytes)
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

t.test('what is uploaded is in the library, where its owner describes it', async (t) => {
  const item = await upload('plan.md', '# Our plan')
  t.match(item, {
    id: /^item_/,
    owner: 'ada',
    name: 'plan.md',
    description: null,
    mediaType: 'text/markdown',
    size: 10,
    favourite: false,
    origin: { type: 'upload', id: /^file_/ },
    cid: null,
    version: 1
  })
  const url = `/v1/library/${item.id}`
  const read = await ada.get(url)
  t.same(read.body.data, item)
  t.equal(read.headers.get('etag'), '"1"')
  t.match(await ada.patch(url, item), { status: 200, body: { data: { version: 1 } } }, 'sent back as it was')
  const changes = { name: 'The plan.md', description: 'Of 2027', favourite: true }
  const changed = await ada.patch(url, changes, { 'if-match': '"1"' })
  t.match(changed, { status: 200, body: { data: { ...changes, version: 2, size: 10 } } })
  t.match(await ada.patch(url, { description: null }), { body: { data: { description: null, version: 3 } } })
  t.match(await ada.patch(url, changes, { 'if-match': '"1"' }), refuses(412))
  t.match(await ada.patch(url, { unheard: 1 }), refuses(400, { param: '/unheard' }))
  for (const [field, value] of Object.entries({ name: ' ', description: 1, favourite: 'yes' }))
    t.match(await ada.patch(url, { [field]: value }), refuses(400, { param: `/${field}` }))
})

t.test('it is nobody else’s', async (t) => {
  const item = await upload('mine.txt', 'mine')
  const calls = (client: typeof ada, id: string) => [
    client.get(`/v1/library/${id}`),
    client.patch(`/v1/library/${id}`, { favourite: true }),
    client.get(`/v1/library/${id}/preview`),
    client.get(`/v1/library/${id}/provenance`),
    client.delete(`/v1/library/${id}`)
  ]
  for (const reply of await Promise.all(calls(anyone, item.id))) t.match(reply, refuses(401))
  for (const client of [eve, as('zoe', { project: 'elsewhere', type: 'service' })])
    for (const reply of await Promise.all(calls(client, item.id)))
      t.match(reply, refuses(403, { type: 'permission_error' }))
  for (const id of ['item_00000000000000000000000000', 'file_x', 'nope'])
    for (const reply of await Promise.all(calls(ada, id))) t.match(reply, refuses(404))
  t.same((await eve.get('/v1/library')).body.data, [])
  t.match(await anyone.get('/v1/library'), refuses(401))
})

t.test('a list is paged, filtered and searched', async (t) => {
  const kim = as('kim')
  const names = ['one 100%.txt', 'two_x.md', 'three.csv']
  const made = []
  for (const name of names) made.unshift(await upload(name, 'a,b\n1,2\n', kim))
  const [csv, md, txt] = made
  await kim.patch(`/v1/library/${md.id}`, { favourite: true, description: 'Wanted 50% more' })
  const found = async (query: string) =>
    (await kim.get(`/v1/library?${query}`)).body.data.map(({ id }: { id: string }) => id)

  t.same(await found(''), [csv.id, md.id, txt.id])
  const { body: page } = await kim.get('/v1/library?limit=2')
  t.same(await found(`limit=2&cursor=${page.nextCursor}`), [txt.id])
  t.same(await found('favourite=true'), [md.id])
  t.same(await found('favourite=false'), [csv.id, txt.id])
  t.same(await found('mediaType=text/csv'), [csv.id])
  t.same(await found('mediaType=text/*'), [csv.id, md.id, txt.id])
  t.same(await found('mediaType=image/*'), [])
  t.same(await found('q=THREE'), [csv.id])
  t.same(await found('q=wanted'), [md.id])
  t.same(await found(`q=${encodeURIComponent('0%')}`), [md.id, txt.id])
  t.same(await found('q=o_x'), [md.id], 'what a pattern would take for any letter is one')
  for (const [param, query] of Object.entries({
    limit: 'limit=0',
    q: 'q=',
    favourite: 'favourite=7',
    unheard: 'unheard=1'
  }))
    t.match(await kim.get(`/v1/library?${query}`), refuses(400, { param }))
  t.match(await kim.get('/v1/library?cursor=nope'), refuses(400, { param: 'cursor' }))
})

t.test('a preview is sanitised, made once, and goes with its item', async (t) => {
  const item = await upload('page.md', '# Hi <script>alert(1)</script>\n\n![x](http://evil/p.png)')
  const url = `/v1/library/${item.id}/preview`
  const [first, second] = await Promise.all([ada.get(url), ada.get(url)])
  for (const { status, headers, text } of [first, second, await ada.get(url)]) {
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    t.match(headers.get('content-security-policy'), /default-src 'none'.*sandbox/)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.match(text, '<h1>Hi')
    t.notMatch(text, /script|evil/)
  }
  const etag = first.headers.get('etag') ?? ''
  t.match(await ada.get(url, { 'if-none-match': etag }), { status: 304 })
  const held = () => platform.knex('storage.reference').where({ holder: `library/${item.id}` })
  t.equal((await held()).length, 1)
  t.match((await ada.get(`/v1/library/${item.id}`)).body.data, { version: 1 }, 'that is no edit')
  await ada.delete(`/v1/library/${item.id}`)
  t.same(await held(), [])

  const bytes = await upload('a.bin', Buffer.from([1, 2, 3, 0]))
  t.match(await ada.get(`/v1/library/${bytes.id}/preview`), refuses(415, { code: 'format_unsupported' }))
  const broken = await upload('a.pdf', '%PDF-1.7\nnothing more')
  t.match(await ada.get(`/v1/library/${broken.id}/preview`), refuses(400, { code: 'document_broken' }))
})

t.test('its provenance says where it comes from', async (t) => {
  const item = await upload('a.txt', 'a')
  t.match(await ada.get(`/v1/library/${item.id}/provenance`), {
    status: 200,
    body: {
      data: {
        itemId: item.id,
        origin: { type: 'upload', id: item.origin.id },
        chain: [{ type: 'file', id: item.origin.id, actor: 'ada', sha256: /^ca978112/ }]
      }
    }
  })
})

t.test('what an agent uploads is its owner’s, and its own to see', async (t) => {
  const { id } = await ada.agent()
  const itself = as(id, { type: 'agent', owner: 'ada' })
  const item = await upload('report.txt', 'done', itself)
  t.match(item, { owner: 'ada', name: 'report.txt' })
  t.match(await ada.get(`/v1/library/${item.id}`), { status: 200 })
})

t.test('an item and its file go together', async (t) => {
  const item = await upload('a.txt', 'gone soon')
  const url = `/v1/library/${item.id}`
  t.match(await ada.delete(url, { 'if-match': '"7"' }), refuses(412))
  t.same((await ada.delete(url)).body.data, { id: item.id, deleted: true })
  await settled()
  t.match(await ada.get(url), refuses(404))
  t.match(await ada.get(`/v1/files/${item.origin.id}`), refuses(404))
})
