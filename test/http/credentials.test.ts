import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { createClient } from '../client.ts'
import { proxy } from '../proxy.ts'
import { refused } from './refused.ts'

const made = async (by: Client, fields: object = {}) => {
  const { status, body } = await by.post('/v1/auth/api-keys', { name: 'made', ...fields })
  if (status !== 201) throw new Error(`No key: ${status}`)
  return body.data as { id: string; key: string }
}
const holder = ({ url }: Booted, { key }: { key: string }) => createClient(url, 'holder', key)
const revoked = ({ platform }: Booted, id: string) =>
  new Promise<void>((resolve) => {
    const hearing = platform.credentials.onRevoked((ids) => {
      if (!ids.includes(id)) return
      hearing[Symbol.dispose]()
      resolve()
    })
  })
/** Asks until the reply is another one; the test's own time limit ends what never comes. */
async function until(status: number, ask: () => Promise<{ status: number }>): Promise<void> {
  while ((await ask()).status !== status) await pause(20)
}

t.test('what is no credential', async (t) => {
  const { url, as, anyone } = await boot(t, 'goals')
  const key = await as('ada').key()
  const typo = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const last = key.at(-8) === 'a' ? 'b' : 'a'
  for (const authorization of [
    '',
    key,
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from(`ada:${key}`).toString('base64')}`,
    `Bearer ${key} ${key}`,
    `Bearer ${typo}`,
    `Bearer ${key.slice(0, -8)}${last}${key.slice(-7)}`,
    `Bearer ${key}x`,
    `Bearer ${key.toLowerCase()}`,
    'Bearer null',
    `Bearer ${'x'.repeat(8_000)}`,
    'Bearer a.b.c',
    "Bearer ' or 1=1 --"
  ]) {
    const reply = await anyone.get('/v1/agents', { authorization })
    refused(t, reply, 401, {}, authorization.slice(0, 20))
    t.match(reply.headers.get('www-authenticate'), /^Bearer/)
    t.notMatch(reply.text, key)
  }
  refused(t, await anyone.get(`/v1/agents?access_token=${key}`), 401, {}, 'in the query')
  refused(t, await anyone.get('/v1/agents', { cookie: `token=${key}`, 'x-api-key': key }), 401)
  t.match(await anyone.get('/v1/agents', { authorization: `bearer ${key}` }), { status: 200 })
  t.match(await createClient(url, 'ada', key).get('/v1/agents'), { status: 200 })
})

t.test('a typo costs no look-up', async (t) => {
  const { platform, as, anyone } = await boot(t, 'goals')
  const key = await as('ada').key()
  const typo = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const statements: string[] = []
  platform.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const looks = () => statements.filter((sql) => sql.includes('"kernel"."credential"')).length

  refused(t, await anyone.get('/v1/auth/me', { authorization: `Bearer ${typo}` }), 401)
  t.equal(looks(), 0)
  t.match(await anyone.get('/v1/auth/me', { authorization: `Bearer ${key}` }), { status: 200 })
  t.equal(looks(), 1)
  t.match(await anyone.get('/v1/auth/me', { authorization: `Bearer ${key}` }), { status: 200 })
  t.equal(looks(), 1, 'and one that is believed none either')
})

t.test('a revoked key is refused at once, and what was made with it', async (t) => {
  const one = await boot(t, 'goals')
  const ada = one.as('ada')
  const first = await made(ada)
  const second = await made(holder(one, first))
  const third = await made(holder(one, second))
  const holders = [first, second, third].map((key) => holder(one, key))
  for (const it of holders) t.match(await it.get('/v1/agents'), { status: 200 })

  refused(t, await one.as('eve').delete(`/v1/auth/api-keys/${first.id}`), 403)
  t.match(await ada.delete(`/v1/auth/api-keys/${first.id}`), {
    status: 200,
    body: { data: { id: first.id, deleted: true } }
  })
  for (const it of holders) refused(t, await it.get('/v1/agents'), 401)
  t.match(await ada.get('/v1/agents'), { status: 200 }, 'not what it was made with')
  const { body } = await ada.get('/v1/auth/api-keys')
  const isRevoked = body.data.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt !== null)
  t.strictSame(isRevoked, [true, true, true, false], 'newest first')
  t.notMatch(JSON.stringify(body), first.key.slice(10), 'and none is shown')
})

t.test('a revoked key is refused by other instances', async (t) => {
  const one = await boot(t, 'goals')
  const two = await boot(t, 'goals', { beside: one })
  const key = await made(one.as('ada'))
  t.match(await holder(two, key).get('/v1/agents'), { status: 200 })
  const heard = revoked(two, key.id)
  await one.as('ada').delete(`/v1/auth/api-keys/${key.id}`)
  await heard
  refused(t, await holder(two, key).get('/v1/agents'), 401)
})

t.test('nothing is believed while revocations would not be heard', async (t) => {
  const one = await boot(t, 'goals')
  const { host = '', port = 5432 } = one.connection
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const far = { ...one.connection, host: way.host, port: way.port }
  const two = await boot(t, 'goals', { beside: { ...one, connection: far } })
  const key = await made(one.as('ada'))
  const mine = holder(two, key)
  const kept = holder(two, await made(one.as('ada')))
  for (const it of [mine, kept]) t.match(await it.get('/v1/auth/me'), { status: 200 })

  way.cut()
  await until(503, () => mine.get('/v1/auth/me'))
  refused(t, await mine.get('/v1/auth/me'), 503, { code: 'database_unavailable' })
  await one.as('ada').delete(`/v1/auth/api-keys/${key.id}`)

  way.mend()
  await until(200, () => two.anyone.get('/health/ready'))
  await until(200, () => kept.get('/v1/auth/me'))
  refused(t, await mine.get('/v1/auth/me'), 401, {}, 'revoked in the meantime')
})

t.test('a credential that has expired, and a principal that was disabled', async (t) => {
  const one = await boot(t, 'goals')
  const { knex, credentials } = one.platform
  const grant = await credentials.resolve(await one.as('ada').key())
  if (!grant) throw new Error('No grant')
  const minted = await credentials.mint(grant.principal, ['agents:read'], 5)
  const mine = createClient(one.url, 'minted', minted.token)
  t.match(await mine.get('/v1/agents'), { status: 200 })
  await until(401, () => mine.get('/v1/agents'))
  t.match(await one.as('ada').get('/v1/agents'), { status: 200 })

  const unused = holder(one, await made(one.as('bob')))
  await knex('kernel.principal').where({ id: 'bob' }).update({ disabledAt: new Date() })
  refused(t, await unused.get('/v1/agents'), 401)
})

t.test('failed credentials are counted by address', async (t) => {
  const env = { ANONYMOUS_LIMIT_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1' }
  const { anyone, as } = await boot(t, 'goals', { env })
  const wrong = { authorization: 'Bearer apk_wrong' }
  for (let count = 0; count < 5; count++) refused(t, await anyone.get('/v1/agents', wrong), 401)
  const reply = await anyone.get('/v1/agents', wrong)
  refused(t, reply, 429, { message: /Retry-After: \d+/ })
  t.match(reply.headers.get('retry-after'), /^[1-9]\d?$/)
  refused(t, await anyone.get('/v1/agents'), 429, {}, 'none at all counts too')
  refused(
    t,
    await anyone.get('/v1/agents', { ...wrong, 'x-forwarded-for': '203.0.113.7' }),
    401,
    {},
    'elsewhere'
  )
  t.match(await as('ada').get('/v1/agents'), { status: 200 }, 'a good one is let in')
})
