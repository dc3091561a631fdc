import t from 'tap'
import { failing, held, instanceOf, migrated } from '../../test/credentials.ts'
import { createHot } from '../database/hot.ts'
import { createPrincipals } from './principals.ts'
import { createProjects } from './projects.ts'

t.test('who is excluded from a project', async (t) => {
  const base = await migrated(t)
  const { credentials, signals, transaction } = await instanceOf(t, base)
  const elsewhere = await instanceOf(t, base)
  const projects = createProjects({ knex: base.knex, signals, credentials })
  const there = createProjects({ ...elsewhere, knex: base.knex })
  await transaction((trx) => projects.create(trx, 'shop', 'test'))
  const issue = (project: string, principal: string, type: 'user' | 'service' = 'user') =>
    transaction((trx) => projects.issueKey(trx, { name: 'key', project, principal, type }))
  await transaction((trx) => projects.create(trx, 'other', 'live'))

  t.test('has no credential left there, here and elsewhere, and all in other projects', async (t) => {
    const own = await issue('shop', 'ada')
    const other = await issue('other', 'ada')
    const bob = await issue('shop', 'bob')
    const { principal } = await held(credentials, own.key)
    const minted = await credentials.mint(principal, null, 60)
    const heard = Promise.withResolvers<unknown>()
    using _ = there.onExcluded(heard.resolve)
    await transaction((trx) => projects.exclude(trx, 'shop', 'ada'))
    t.same(await heard.promise, { project: 'shop', user: 'ada' })
    for (const key of [own.key, minted.token]) t.equal(await credentials.resolve(key), undefined)
    for (const { key } of [other, bob]) t.ok(await credentials.resolve(key))
    t.same(
      await there.listExcluded([
        { project: 'shop', user: 'ada' },
        { project: 'other', user: 'ada' },
        { project: 'shop', user: 'bob' }
      ]),
      [{ project: 'shop', user: 'ada' }]
    )
    await t.rejects(credentials.mint(principal, null, 60), failing({ kind: 'forbidden', code: 'revoked' }))
  })

  t.test('comes back without them', async (t) => {
    const before = await issue('shop', 'cleo')
    await transaction((trx) => projects.exclude(trx, 'shop', 'cleo'))
    await transaction((trx) => projects.exclude(trx, 'shop', 'cleo'))
    await transaction((trx) => projects.admit(trx, 'shop', 'cleo'))
    t.equal(await credentials.resolve(before.key), undefined)
    t.ok(await credentials.resolve((await issue('shop', 'cleo')).key))
    t.same(await projects.listExcluded([{ project: 'shop', user: 'cleo' }]), [])
  })

  t.test('is only who is excluded by a transaction that is committed', async (t) => {
    const { key } = await issue('shop', 'dan')
    const heard: unknown[] = []
    using _ = projects.onExcluded((who) => heard.push(who))
    const undone = transaction(async (trx) => {
      await projects.exclude(trx, 'shop', 'dan')
      throw new Error('undone')
    })
    await t.rejects(undone, /undone/)
    t.ok(await credentials.resolve(key))
    t.same(heard, [])
  })

  t.test(
    'is everybody where it is closed, also who is stored nowhere, until it is opened anew',
    async (t) => {
      await transaction((trx) => projects.create(trx, 'closing', 'live'))
      const ada = await issue('closing', 'ada')
      const service = await issue('closing', 'crm', 'service')
      const other = await issue('other', 'crm', 'service')
      const { principal } = await held(credentials, service.key)
      const heard = Promise.withResolvers<unknown>()
      using _ = there.onExcluded(heard.resolve)
      await transaction((trx) => projects.close(trx, 'closing'))
      t.same(await heard.promise, { project: 'closing' })
      for (const { key } of [ada, service]) t.equal(await credentials.resolve(key), undefined)
      t.ok(await credentials.resolve(other.key))
      const unknown = { project: 'closing', user: 'a customer of the service' }
      t.same(await there.listExcluded([unknown, { project: 'other', user: 'crm' }]), [{ project: 'closing' }])
      const owners = createPrincipals(createHot(base.knex))
      for (const user of ['ada', 'crm', unknown.user]) t.equal(await owners.of('closing', user), undefined)
      t.ok(await owners.of('other', unknown.user))
      await t.rejects(credentials.mint(principal, null, 60), failing({ kind: 'forbidden', code: 'revoked' }))
      await t.rejects(issue('closing', 'eve'), failing({ kind: 'conflict' }))
      await transaction((trx) => projects.reopen(trx, 'closing'))
      t.equal(await credentials.resolve(ada.key), undefined, 'without the credentials of before')
      t.ok(await credentials.resolve((await issue('closing', 'crm', 'service')).key))
      t.ok(await owners.of('closing', unknown.user))
    }
  )

  t.test('may be one that the project has not seen yet', async (t) => {
    await transaction((trx) => projects.exclude(trx, 'shop', 'person-of-a-token'))
    t.match(await projects.listExcluded([{ project: 'shop', user: 'person-of-a-token' }]), [{}])
  })
})
