import t from 'tap'
import { failing, held, instance, migrated, service } from '../../test/credentials.ts'
import { createOperator } from './operator.ts'

t.test('the operator', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const operator = createOperator(base.knex)

  t.test('sees the keys of a whole project, and of no other', async (t) => {
    const key = await credentials.createKey({ ...service, project: 'shop', principal: 'till' })
    await credentials.createKey({
      ...service,
      project: 'shop',
      type: 'user',
      principal: 'ada',
      name: 'laptop'
    })
    await credentials.createKey({ ...service, project: 'other' })
    await operator.mint('shop', { admin: false, seconds: 60 })
    const keys = await operator.listKeys('shop')
    t.match(keys, [
      { name: 'laptop', principal: 'ada', type: 'user', lastUsedAt: null, revokedAt: null },
      { name: 'ci', principal: 'till', type: 'service' }
    ])
    t.equal(keys.length, 2, 'short-lived tokens are no keys')
    t.notMatch(JSON.stringify(keys), key)
    t.match(await operator.listKeys('shop', 'till'), [{ principal: 'till' }])
    t.match(await operator.findKey(keys[0]?.id ?? ''), { name: 'laptop' })
    await t.rejects(operator.findKey('key_none'), failing({ kind: 'notFound' }))
    await t.rejects(operator.listKeys('nowhere'), failing({ kind: 'notFound' }))
    t.strictSame(await operator.listKeys('default'), [], 'which need not be there yet')
  })

  t.test('makes projects, each once', async (t) => {
    t.match(await operator.createProject('trial', 'test'), { id: 'trial', environment: 'test' })
    await t.rejects(operator.createProject('trial', 'live'), failing({ kind: 'conflict' }))
    await t.rejects(operator.createProject('a b', 'live'), failing({ kind: 'invalid' }))
    const ids = (await operator.listProjects()).map(({ id }) => id)
    t.strictSame(ids, ['other', 'shop', 'trial'])
  })

  t.test('acts by tokens that end', async (t) => {
    const { id, token } = await operator.mint('default', { admin: true, seconds: 60 })
    t.match(token, /^apt_/)
    const { principal, expiresAt = 0 } = await held(credentials, token)
    t.match(principal, { id: 'operator', type: 'service', project: 'default', narrowed: false })
    t.ok(principal.scopes.has('platform:admin') && principal.scopes.has('agents:run'))
    t.ok(expiresAt <= Date.now() + 60_000)
    const plain = await operator.mint('default', { admin: false, seconds: 60 })
    t.notOk((await held(credentials, plain.token)).principal.scopes.has('platform:admin'))

    await operator.end(id)
    t.equal(await credentials.resolve(token), undefined)
    const past = await operator.mint('default', { admin: true, seconds: 0 })
    t.equal(await credentials.resolve(past.token), undefined)
    await t.rejects(operator.mint('nowhere', { admin: true, seconds: 60 }), failing({ kind: 'notFound' }))
  })

  t.test('is no principal of another type', async (t) => {
    await credentials.createKey({ ...service, project: 'odd', type: 'user', principal: 'operator' })
    await t.rejects(operator.mint('odd', { admin: true, seconds: 60 }), failing({ kind: 'conflict' }))
  })
})
