import t from 'tap'
import { chainFaults } from '../../../cli/audit/verify.ts'
import { boot } from '../../../test/boot.ts'
import type { Any } from './testbed.ts'

const booted = await boot(t, 'observability', 'credits', 'flags', 'packs')
const { as, admin, settled, platform } = booted
const ada = as('ada')
const audit = async (query = '') => (await admin.get(`/v1/audit?limit=100${query}`)).body.data as Any[]
const chain = async () => (await audit()).toReversed()

t.test('administrative acts are logged, in one chain', async (t) => {
  const key = (await ada.post('/v1/auth/api-keys', { name: 'ci', scopes: ['agents:read'] })).body.data
  await ada.delete(`/v1/auth/api-keys/${key.id}`)
  await admin.post('/v1/credits/prices', { kind: 'model', target: 'local/*', output: '1' })
  await admin.put('/v1/flags/calm', { state: 'ENABLED', variants: { on: true } })
  await admin.put('/v1/packs/credits', { settings: { giftMost: 7 } })
  await settled()
  const types = (await chain()).map(({ type }) => type)
  for (const type of [
    'access.key_created',
    'access.key_revoked',
    'credits.price_set',
    'flags.updated',
    'packs.configured'
  ])
    t.equal(types.filter((it) => it === type).length, 1, type)
  t.match(await audit('&type=access.key_created'), [
    { actor: 'ada', subject: key.id, project: 'default', details: { name: 'ci', prefix: String } }
  ])
  t.notMatch(JSON.stringify(await audit()), key.key, 'never a secret')
  t.match(await audit('&type=packs.configured'), [
    { subject: 'credits', project: null, details: { outcome: 'applied' } }
  ])
  t.same(
    (await audit('&actor=ada')).map(({ type }) => type),
    ['access.key_revoked', 'access.key_created']
  )
  t.same(await audit('&to=2020-01-01T00:00:00Z'), [])
  const entries = await chain()
  t.same(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1)
  )
  t.same(chainFaults(entries), [])
  const page = (await admin.get('/v1/audit?limit=2')).body
  t.match((await admin.get(`/v1/audit?limit=1&cursor=${page.nextCursor}`)).body.data, [
    { seq: page.data[1].seq - 1 }
  ])
  t.match(await admin.get('/v1/audit?cursor=x'), { status: 400, body: { error: { param: 'cursor' } } })
  t.match(await ada.get('/v1/audit'), { status: 403, body: { error: { code: 'scope_missing' } } })
})

t.test('what is told twice, or by two at once, is there once', async (t) => {
  const before = await chain()
  await platform
    .knex('kernel.fact_cursor')
    .where({ pack: 'observability' })
    .update({ transaction: '0', position: 0, since: '1:1:' })
  await admin.put('/v1/flags/calm', { state: 'DISABLED', variants: { on: true } })
  await Promise.all([audit(), audit(), settled()])
  await settled()
  const after = await chain()
  t.equal(after.length, before.length + 1)
  t.same(chainFaults(after), [])
})

t.test('nothing is changed or taken out, and where it is, that is found', async (t) => {
  const { knex } = platform
  await t.rejects(knex('observability.audit').where({ seq: 2 }).update({ actor: 'eve' }), { code: '23000' })
  await t.rejects(knex('observability.audit').where({ seq: 2 }).delete(), { code: '23000' })
  await t.rejects(knex.raw('truncate observability.audit'), { code: '23000' })
  const entries = await chain()
  const forged = entries.map((entry) => (entry.seq === 2 ? { ...entry, actor: 'eve' } : entry))
  t.same(chainFaults(forged), ['entry 2 is not what was logged'])
  t.same(chainFaults(entries.toSpliced(1, 1)), [
    'entry 2 is missing',
    'entry 3 does not follow from the one before'
  ])
})
