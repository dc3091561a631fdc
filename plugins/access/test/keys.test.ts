import { createHash } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { KEYS, keyOf, ME } from './testbed.ts'

t.test('keys', async (t) => {
  const platform = await boot(t, 'access')
  const { as, anyone } = platform
  const ada = as('ada')

  t.test('are shown whole once, stored as a hash, and act as their maker', async (t) => {
    const { status, body, headers } = await ada.post(KEYS, { name: 'Nightly report' })
    t.equal(status, 201)
    t.match(body.data, {
      id: /^key_/,
      name: 'Nightly report',
      key: /^apk_/,
      lastUsedAt: null,
      revokedAt: null
    })
    t.equal(headers.get('cache-control'), 'no-store')
    t.ok(body.data.key.startsWith(body.data.prefix))
    const { platform: kernel } = platform
    const row = await kernel.knex('kernel.credential').where({ id: body.data.id }).first()
    t.notOk(JSON.stringify(row).includes(body.data.key.slice(10)))
    t.ok(createHash('sha256').update(body.data.key).digest().equals(row.hash))
    const used = await createClient(platform.url, 'ada', body.data.key).get(ME)
    t.match(used.body.data, { principalId: 'ada', principalType: 'user', narrowed: false })
    const listed = await ada.get(`${KEYS}?limit=1`)
    t.match(listed.body.data, [{ id: body.data.id, prefix: body.data.prefix }])
    t.notOk(listed.text.includes(body.data.key))
    t.notOk('key' in listed.body.data[0])
  })

  t.test('are narrowed to a subset of what their maker may', async (t) => {
    const reader = await keyOf(platform, ada, { scopes: ['agents:read', 'auth:read'] })
    t.strictSame(reader.scopes, ['agents:read', 'auth:read'])
    t.match(await reader.client.get(KEYS), { status: 200 })
    t.match(await reader.client.post(KEYS, { name: 'more' }), {
      status: 403,
      body: { error: { type: 'permission_error', code: 'scope_missing' } }
    })
    const maker = await keyOf(platform, ada, { scopes: ['agents:read', 'auth:write'] })
    const inherited = await keyOf(platform, maker.client)
    t.strictSame(inherited.scopes, ['agents:read', 'auth:write'], 'nothing is gained by asking for nothing')
    t.match(await maker.client.post(KEYS, { name: 'wider', scopes: ['agents:run'] }), {
      status: 403,
      body: { error: { param: '/scopes' } }
    })
    t.match(await ada.post(KEYS, { name: 'root', scopes: ['platform:admin'] }), { status: 403 })
    t.match(await maker.client.get(KEYS), { status: 403 }, 'auth:write does not read')
  })

  t.test('are refused with the place of what is wrong', async (t) => {
    const wrong: [object, string][] = [
      [{}, '/name'],
      [{ name: 5 }, '/name'],
      [{ name: '' }, '/name'],
      [{ name: '  ' }, '/name'],
      [{ name: 'a', scopes: [] }, '/scopes'],
      [{ name: 'a', scopes: 'agents:read' }, '/scopes'],
      [{ name: 'a', scopes: ['agents:read', 'agents:read'] }, '/scopes'],
      [{ name: 'a', scopes: ['agents:read', 'everything'] }, '/scopes/1'],
      [{ name: 'a', owner: 'eve' }, '/owner']
    ]
    for (const [body, param] of wrong)
      t.match(await ada.post(KEYS, body), {
        status: 400,
        body: { error: { type: 'invalid_request_error', param } }
      })
    t.match(await ada.get(`${KEYS}?limit=0`), { status: 400, body: { error: { param: 'limit' } } })
    t.match(await ada.get(`${KEYS}?cursor=x`), { status: 400, body: { error: { param: 'cursor' } } })
    for (const reply of [anyone.post(KEYS, { name: 'a' }), anyone.get(KEYS), anyone.delete(`${KEYS}/key_1`)])
      t.match(await reply, { status: 401 })
  })

  t.test('are listed a page at a time, newest first, to their principal alone', async (t) => {
    const dora = as('dora')
    const made = []
    for (const name of ['first', 'second', 'third'])
      made.unshift((await keyOf(platform, dora, { name })).name)
    const names: string[] = []
    let cursor: string | null = ''
    do {
      const query: string = cursor ? `&cursor=${cursor}` : ''
      const { body } = await dora.get(`${KEYS}?limit=2${query}`)
      names.push(...body.data.map((key: { name: string }) => key.name))
      cursor = body.nextCursor
    } while (cursor)
    t.strictSame(names, [...made, 'dora'])
    const others = await as('eve').get(KEYS)
    t.strictSame(
      others.body.data.map((key: { name: string }) => key.name),
      ['eve']
    )
  })

  t.test('of an initiator act for that initiator alone', async (t) => {
    const service = as('shop', { type: 'service' })
    const { body } = await service.post(KEYS, { name: 'for fay' }, { 'x-initiator': 'fay' })
    const client = createClient(platform.url, 'shop', body.data.key)
    t.match(await client.get(ME), { body: { data: { principalId: 'shop', initiator: 'fay' } } })
    const path = `${KEYS}/${body.data.id}`
    t.match(await service.delete(path, { 'x-initiator': 'gus' }), { status: 403 })
    t.match(await service.delete(path, { 'x-initiator': 'fay' }), { status: 200 })
  })

  t.test('a repeated request gets the reply without the secret, and no second key', async (t) => {
    const gil = as('gil')
    const headers = { 'idempotency-key': 'one-key-please' }
    const first = await gil.post(KEYS, { name: 'once' }, headers)
    t.match(first, { status: 201, body: { data: { key: /^apk_/ } } })
    const again = await gil.post(KEYS, { name: 'once' }, headers)
    t.equal(again.status, 201)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    const { key, ...rest } = first.body.data
    t.strictSame(again.body.data, rest)
    t.notOk(again.text.includes(key))
    const { knex } = platform.platform
    const kept = await knex('kernel.idempotency').select(knex.raw('idempotency::text as text'))
    t.ok(kept.length > 0)
    t.notOk(JSON.stringify(kept).includes(key))
    t.match(await gil.post(KEYS, { name: 'twice' }, headers), { status: 409 })
    const { body } = await gil.get(KEYS)
    t.strictSame(
      body.data.map(({ name }: { name: string }) => name),
      ['once', 'gil']
    )
  })
})

t.test('making and revoking keys is limited by user and route', async (t) => {
  const { as } = await boot(t, 'access', { env: { SENSITIVE_LIMIT_PER_MINUTE: '20' } })
  const ada = as('ada')
  const statuses: number[] = []
  let limited = await ada.post(KEYS, { name: 'one' })
  for (; limited.status === 201; limited = await ada.post(KEYS, { name: 'more' }))
    statuses.push(limited.status)
  // The window may end in between, never a window be exceeded.
  t.ok(statuses.length >= 20 && statuses.length < 60, `${statuses.length} were allowed`)
  t.match(limited, { status: 429, body: { error: { type: 'rate_limit_error' } } })
  const seconds = Number(limited.headers.get('retry-after'))
  t.ok(seconds >= 1 && seconds <= 60)
  t.match(limited.body.error.message, `Retry-After: ${seconds}`)
  t.match(await ada.get(KEYS), { status: 200 }, 'reading is not sensitive')
  t.match(await ada.delete(`${KEYS}/key_nope`), { status: 404 }, 'another route has its own')
  t.match(await as('bob').post(KEYS, { name: 'his' }), { status: 201 }, 'and so has another user')
})
