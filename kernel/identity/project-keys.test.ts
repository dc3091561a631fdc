import t from 'tap'
import { asked, failing, held, instance, migrated, service } from '../../test/credentials.ts'
import * as credentialMigration from '../database/migrations/0002-create-credential.ts'
import * as narrowedMigration from '../database/migrations/0012-add-credential-narrowed.ts'
import * as closedMigration from '../database/migrations/0013-add-project-closed-at.ts'
import { SCOPES } from './scopes.ts'

t.test('the migration goes down and up again', async (t) => {
  const base = await migrated(t)
  await credentialMigration.down(base.knex)
  await credentialMigration.up(base.knex)
  await narrowedMigration.up(base.knex)
  await closedMigration.up(base.knex)
  t.strictSame(await base.knex('kernel.credential'), [])
})

t.test('project keys', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)

  t.test('carry the project, its scopes and a new principal', async (t) => {
    const key = await credentials.createKey(service)
    t.match(key, /^ap_live_/)
    const { principal, credential, expiresAt } = await held(credentials, key)
    t.match(principal, { type: 'service', project: 'default', narrowed: false, credential })
    t.match(principal.id, /^svc_/)
    t.equal(principal.owner, principal.id)
    t.strictSame([...principal.scopes], SCOPES)
    t.equal(expiresAt, undefined)
    const text = JSON.stringify(await base.knex('kernel.credential'))
    t.notOk(text.includes(key.slice(12)), 'the key is stored nowhere')
  })

  t.test('are narrowed by a list, and platform:admin comes from --admin alone', async (t) => {
    const narrowed = await asked(credentials, { ...service, scopes: ['agents:read', 'goals:write'] })
    t.equal(narrowed.narrowed, true)
    t.strictSame([...narrowed.scopes], ['agents:read', 'goals:write'])
    const admin = await asked(credentials, { ...service, admin: true })
    t.equal(admin.narrowed, false)
    t.strictSame([...admin.scopes], [...SCOPES, 'platform:admin'])
    await t.rejects(
      credentials.createKey({ ...service, scopes: ['platform:admin'] }),
      failing({ param: 'scopes' })
    )
    const both = await asked(credentials, { ...service, scopes: ['platform:admin'], admin: true })
    t.strictSame([...both.scopes], ['platform:admin'])
  })

  t.test('of a test project are test keys; the other environment is an error', async (t) => {
    t.match(await credentials.createKey({ ...service, project: 'trial', environment: 'test' }), /^ap_test_/)
    t.match(await credentials.createKey({ ...service, project: 'trial' }), /^ap_test_/)
    const contradicting = { ...service, project: 'trial', environment: 'live' } as const
    await t.rejects(credentials.createKey(contradicting), failing({ kind: 'conflict' }))
    await t.rejects(credentials.createKey({ ...service, project: 'a b' }), failing({ param: 'project' }))
    await t.rejects(
      credentials.createKey({ ...service, scopes: ['agents:fly'] }),
      failing({ param: 'scopes' })
    )
    await t.rejects(credentials.createKey({ ...service, principal: 'ü' }), failing({ param: 'principal' }))
    await t.rejects(credentials.createKey({ ...service, name: ' ' }), failing({ param: 'name' }))
  })

  t.test('several for one principal, which has one type', async (t) => {
    const first = await asked(credentials, { ...service, type: 'user', principal: 'ada@example.com' })
    const second = await asked(credentials, { ...service, type: 'user', principal: 'ada@example.com' })
    t.equal(first.id, second.id)
    t.not(first.credential, second.credential)
    await t.rejects(credentials.createKey({ ...service, principal: first.id }), failing({ kind: 'conflict' }))
    const elsewhere = await asked(credentials, { ...service, project: 'other', principal: first.id })
    t.equal(elsewhere.type, 'service', 'another project has names of its own')
  })

  t.test('of an agent: what it makes belongs to its owner', async (t) => {
    const order = { ...service, type: 'agent', principal: 'agent_1' } as const
    t.match(await asked(credentials, { ...order, owner: 'ada' }), { id: 'agent_1', owner: 'ada' })
    t.equal((await asked(credentials, { ...order, owner: 'bob' })).owner, 'bob')
    await t.rejects(credentials.createKey(order), failing({ kind: 'notFound' }), 'an agent that is not there')
    await t.rejects(credentials.createKey({ ...service, type: 'agent' }), failing({ param: 'principal' }))
    await t.rejects(credentials.createKey({ ...service, owner: 'ada' }), failing({ param: 'owner' }))
  })

  t.test('lose what the project loses', async (t) => {
    const whole = await credentials.createKey({ ...service, project: 'shrinking' })
    const scopes = ['agents:run', 'agents:read', 'goals:read']
    const narrowed = await credentials.createKey({ ...service, project: 'shrinking', scopes })
    await base
      .knex('kernel.project')
      .where({ id: 'shrinking' })
      .update({ scopes: ['agents:read'] })
    t.strictSame([...(await held(credentials, whole)).principal.scopes], ['agents:read'])
    t.strictSame([...(await held(credentials, narrowed)).principal.scopes], ['agents:read', 'goals:read'])
    const lacking = { ...service, project: 'shrinking', scopes: ['agents:run'] }
    await t.rejects(credentials.createKey(lacking), failing({ param: 'scopes' }))
  })

  t.test('of a disabled principal do not resolve', async (t) => {
    const key = await credentials.createKey({ ...service, principal: 'gone' })
    await base.knex('kernel.principal').where({ id: 'gone' }).update({ disabledAt: new Date() })
    t.equal(await credentials.resolve(key), undefined)
    await t.rejects(credentials.createKey({ ...service, principal: 'gone' }), failing({ kind: 'conflict' }))
  })

  t.test('made for one project by two at once', async (t) => {
    const order = { ...service, project: 'raced', principal: 'raced' }
    const keys = await Promise.all(Array.from({ length: 6 }, () => credentials.createKey(order)))
    for (const key of keys) t.equal((await held(credentials, key)).principal.id, 'raced')
  })

  t.test('nothing else resolves', async (t) => {
    const key = await credentials.createKey(service)
    for (const token of ['', 'x', `${key}x`, key.slice(0, -1), 'a.b.c', `apk_${key.slice(8)}`, '\0'])
      t.equal(await credentials.resolve(token), undefined, JSON.stringify(token))
  })
})
