import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/facts.ts'
import { createPasswords } from '../passwords.ts'
import { uploaded } from './testbed.ts'

const booted = await boot(t, 'library')
const { as, anyone, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]
const item = await uploaded(booted, ada, 'Überblick.txt', 'for everyone')
const links = `/v1/library/${item.id}/share-links`
const share = async (body: object = {}) => (await ada.post(links, body)).body.data
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })
const get = (token: string, password?: string) =>
  anyone.get(`/v1/shared/artifacts/${token}`, password === undefined ? {} : { 'x-share-password': password })

t.test('the holder of the link downloads the item, until it is revoked', async (t) => {
  const made = await share()
  t.match(made, { owner: 'ada', itemId: item.id, hasPassword: false, maxDownloads: null, downloads: 0 })
  t.ok(made.url.endsWith(`/v1/shared/artifacts/${made.token}`))
  const { status, headers, text } = await get(made.token)
  t.same([status, text], [200, 'for everyone'])
  t.equal(headers.get('content-disposition'), "attachment; filename*=UTF-8''%C3%9Cberblick.txt")
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  const row = await platform.knex('library.share_link').where({ id: made.id }).first()
  t.equal(row.downloads, 1)
  t.notMatch(JSON.stringify(row), made.token.split('.')[1], 'the token is not kept')

  t.same((await ada.delete(`${links}/${made.id}`)).body.data, { id: made.id, deleted: true })
  t.match(await get(made.token), refuses(404))
  t.match(await ada.delete(`${links}/${made.id}`), refuses(404))
})

t.test('the links of an item are listed for those who share it, without their tokens', async (t) => {
  const other = await uploaded(booted, ada, 'other.txt', 'for some')
  const theirs = `/v1/library/${other.id}/share-links`
  const made = []
  for (const maxDownloads of [1, 2, 3]) made.push((await ada.post(theirs, { maxDownloads })).body.data)
  await get(made[2].token)

  const first = await ada.get(`${theirs}?limit=2`)
  t.match(first.body.data, [
    { id: made[2].id, downloads: 1, maxDownloads: 3 },
    { id: made[1].id, downloads: 0 }
  ])
  const second = await ada.get(`${theirs}?limit=2&cursor=${first.body.nextCursor}`)
  t.same([second.body.data.length, second.body.nextCursor], [1, null])
  t.notMatch(JSON.stringify(first.body), made[2].token.split('.')[1])
  t.notHas(first.body.data[0], 'secretHash')

  await ada.post(`/v1/library/${other.id}/grants`, { subjectType: 'user', subjectId: 'eve', level: 'write' })
  t.match(await eve.get(theirs), refuses(403))
})

t.test('a maximum of downloads holds, however many come at once', async (t) => {
  const { token } = await share({ maxDownloads: 3 })
  const replies = await Promise.all(Array.from({ length: 12 }, () => get(token)))
  const statuses = replies.map(({ status }) => status).sort()
  t.same(statuses, [...Array(3).fill(200), ...Array(9).fill(404)])
})

t.test('a maximum holds over two instances', async (t) => {
  const beside = await boot(t, 'library', { beside: booted, env: { DATA_DIR: booted.dataDir } })
  const { token } = await share({ maxDownloads: 4 })
  const asked = Array.from({ length: 6 }, () => [
    get(token),
    beside.anyone.get(`/v1/shared/artifacts/${token}`)
  ])
  const statuses = (await Promise.all(asked.flat())).map(({ status }) => status).sort()
  t.same(statuses, [...Array(4).fill(200), ...Array(8).fill(404)])
})

t.test('a range of a download is sent, and counts', async (t) => {
  const { token } = await share({ maxDownloads: 3 })
  const ranged = (range: string, more: Record<string, string> = {}) =>
    anyone.get(`/v1/shared/artifacts/${token}`, { range, ...more })
  const part = await ranged('bytes=4-6')
  t.same([part.status, part.text], [206, 'eve'])
  t.equal(part.headers.get('content-range'), 'bytes 4-6/12')
  t.equal(part.headers.get('content-length'), '3')
  t.match(await ranged('bytes=12-'), refuses(416), 'which does not count')
  t.match(await ranged('bytes=-3'), { status: 206, text: 'one' })
  t.match(await ranged('bytes=4-6', { 'if-range': '"other"' }), { status: 200, text: 'for everyone' })
  t.match(await ranged('bytes=0-0'), refuses(404), 'used up')
})

t.test('a password is asked for, and what is expired is gone', async (t) => {
  const { token, id, hasPassword } = await share({ password: 'correct horse', maxDownloads: 1 })
  t.equal(hasPassword, true)
  t.match(await get(token), refuses(403, { code: 'password_required' }))
  t.match(await get(token, 'wrong horse'), refuses(403, { code: 'password_wrong' }))
  const look = await anyone.request('HEAD', `/v1/shared/artifacts/${token}`, {
    headers: { 'x-share-password': 'correct horse' }
  })
  t.match(
    [look.status, look.text, look.headers.get('content-length')],
    [200, '', '12'],
    'a look is no download'
  )
  t.match(await get(token, 'correct horse'), { status: 200, text: 'for everyone' }, 'only this one counts')
  const row = await platform.knex('library.share_link').where({ id }).first()
  t.notMatch(JSON.stringify(row), 'correct horse')

  const soon = await share({ expiresAt: new Date(Date.now() + 3_000).toISOString() })
  t.equal((await get(soon.token)).status, 200)
  t.ok(await until(async () => (await get(soon.token)).status === 404))
  const late = await share()
  const past = new Date(Date.now() - 1_000)
  await platform.knex('library.share_link').where({ id: late.id }).update({ expiresAt: past })
  t.match(await get(late.token), refuses(404))
  for (const token of ['nope', `${late.id}.`, `${late.id}.${'A'.repeat(43)}`, 'share_x.y', '.', 'a.b.c'])
    t.match(await get(token), refuses(404), token)
})

t.test('a password is guessed at ten times, whichever instance is asked', async (t) => {
  const beside = await boot(t, 'library', { beside: booted, env: { DATA_DIR: booted.dataDir } })
  const there = (token: string, password: string) =>
    beside.anyone.get(`/v1/shared/artifacts/${token}`, { 'x-share-password': password })
  const [one, other] = [
    await share({ password: 'correct horse' }),
    await share({ password: 'correct horse' })
  ]
  const right = await Promise.all(Array.from({ length: 16 }, () => get(one.token, 'correct horse')))
  t.same(new Set(right.map(({ status }) => status)), new Set([200]), 'the right one is no guess')

  const guesses = Array.from({ length: 14 }, (_, at) =>
    (at % 2 ? get : there)(one.token, `wrong horse ${at}`)
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()
  t.same(statuses, [...Array(10).fill(403), ...Array(4).fill(429)])
  for (const late of [await get(one.token, 'correct horse'), await there(one.token, 'correct horse')]) {
    t.match(late, refuses(429))
    const seconds = Number(late.headers.get('retry-after'))
    t.ok(seconds > 0 && seconds <= 900, String(seconds))
  }
  t.match(await get(one.token), refuses(403, { code: 'password_required' }), 'which is no guess')
  t.match(await get(`${one.id}.${'A'.repeat(43)}`, 'wrong'), refuses(404), 'nothing is told of the link')
  t.match(await get(other.token, 'correct horse'), { status: 200 }, 'another link')
})

t.test('few passwords are computed at a time, and few wait for that', async (t) => {
  const limits = { guess: async () => async () => undefined } as never
  const { hash } = createPasswords({ limits })
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => hash('correct horse')))
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  t.match(refused, Array(3).fill({ kind: 'rateLimited', headers: { 'retry-after': '1' } }))
  t.match(await hash('correct horse'), /^[\w-]{22}\.[\w-]{43}$/, 'and then there is place again')
})

t.test('only who may change the item shares it', async (t) => {
  const { id } = await share()
  for (const [client, status] of [
    [anyone, 401],
    [eve, 403]
  ] as const) {
    t.match(await client.post(links, {}), refuses(status))
    t.match(await client.delete(`${links}/${id}`), refuses(status))
  }
  t.match(await ada.post('/v1/library/item_nope/share-links', {}), refuses(404))
  const other = await uploaded(booted, ada, 'b.txt', 'b')
  t.match(await ada.delete(`/v1/library/${other.id}/share-links/${id}`), refuses(404), 'of another item')
  for (const [field, value] of Object.entries({
    expiresAt: '2001-01-01T00:00:00Z',
    password: 'short',
    maxDownloads: 0,
    unheard: 1
  }))
    t.match(await ada.post(links, { [field]: value }), refuses(400, { param: `/${field}` }))
})

t.test('links go with their item', async (t) => {
  const gone = await uploaded(booted, ada, 'gone.txt', 'gone')
  const { body } = await ada.post(`/v1/library/${gone.id}/share-links`, {})
  t.equal((await get(body.data.token)).status, 200)
  await ada.delete(`/v1/library/${gone.id}`)
  t.match(await get(body.data.token), refuses(404))
  await booted.settled()
  t.same(await platform.knex('library.share_link').where({ itemId: gone.id }), [])
})

t.test('a signed download needs no credential, and is of that item alone', async (t) => {
  const signed = async (id: string) => (await ada.get(`/v1/library/${id}/download`)).body.data
  const { url, expiresAt } = await signed(item.id)
  t.ok(Date.parse(expiresAt) > Date.now())
  const token = url.split('/').at(-1) as string
  t.match(await get(token), { status: 200, text: 'for everyone' })
  t.match(await get(token), { status: 200 }, 'as often as it takes')

  const other = await uploaded(booted, ada, 'other.txt', 'other')
  t.match(await get(token.replace(item.id, other.id)), refuses(404))
  t.match(await get(`${token.slice(0, -3)}AAA`), refuses(404))
  t.match(await get(`${item.id}~`), refuses(404))
  const by = { id: 'ada', type: 'user', project: 'default', owner: 'ada' }
  const until = async (moment: number) => {
    const content = JSON.stringify({ expiresAt: new Date(moment).toISOString(), by })
    const sealed = await platform.vault.seal('default', `library.download/${item.id}`, content)
    return `${item.id}~${Buffer.from(sealed).toString('base64url')}`
  }
  t.match(await get(await until(Date.now() + 60_000)), { status: 200 })
  t.match(await get(await until(Date.now() - 1_000)), refuses(404))
  t.match(await anyone.get(`/v1/library/${item.id}/download`), refuses(401))
  t.match(await eve.get(`/v1/library/${item.id}/download`), refuses(403))
  t.match(await ada.get('/v1/library/item_nope/download'), refuses(404))
  const gone = await signed(other.id)
  await ada.delete(`/v1/library/${other.id}`)
  t.match(await get(gone.url.split('/').at(-1)), refuses(404))
})
