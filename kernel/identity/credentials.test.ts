import { mock } from 'node:test'
import t from 'tap'
import { asked, failing, held, instance, migrated, noTokens, service } from '../../test/credentials.ts'
import { openDatabase } from '../database/connect.ts'
import { createTransaction } from '../database/transaction.ts'
import { failureOf } from '../http/failures.ts'
import { createCredentials } from './credentials.ts'
import type { Principal } from './ownership.ts'
import { SCOPES } from './scopes.ts'

const MINUTE = 60_000

t.test('keys of the own principal', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const ada = await asked(credentials, { ...service, type: 'user', principal: 'ada' })
  const bob = await asked(credentials, { ...service, type: 'user', principal: 'bob' })

  t.test('are issued with the scopes of the one that issues, or fewer', async (t) => {
    const issued = await credentials.issue(ada, { name: 'laptop' })
    t.match(issued.key, /^apk_/)
    t.equal(issued.prefix, issued.key.slice(0, 8))
    t.match(issued, { name: 'laptop', scopes: SCOPES, lastUsedAt: null, revokedAt: null })
    t.equal(new Date(issued.createdAt).toISOString(), issued.createdAt)
    t.match((await held(credentials, issued.key)).principal, { id: 'ada', type: 'user', narrowed: false })

    const fewer = await credentials.issue(ada, { name: 'reader', scopes: ['agents:read', 'goals:read'] })
    const reader = (await held(credentials, fewer.key)).principal
    t.equal(reader.narrowed, true)
    t.strictSame([...reader.scopes], ['agents:read', 'goals:read'])
    const asReader = await credentials.issue(reader, { name: 'same' })
    t.strictSame(asReader.scopes, ['agents:read', 'goals:read'])
    t.equal((await held(credentials, asReader.key)).principal.narrowed, true)
    for (const scopes of [['agents:write'], ['tasks:read'], ['platform:admin']])
      await t.rejects(credentials.issue(reader, { name: 'more', scopes }), failing({ kind: 'forbidden' }))
    await t.rejects(
      credentials.issue(ada, { name: 'x', scopes: ['platform:admin'] }),
      failing({ kind: 'forbidden' })
    )
    await t.rejects(
      credentials.issue(ada, { name: 'x', scopes: ['agents:read', 'all'] }),
      failing({ param: '/scopes/1' })
    )
  })

  t.test('platform:admin is handed on only when it is asked for', async (t) => {
    const admin = await asked(credentials, { ...service, admin: true })
    t.notOk((await credentials.issue(admin, { name: 'plain' })).scopes.includes('platform:admin'))
    const scopes = ['platform:admin', 'agents:read']
    t.strictSame(
      (await credentials.issue(admin, { name: 'admin', scopes })).scopes.toSorted(),
      scopes.toSorted()
    )
  })

  t.test('are listed newest first, in pages, without those of others', async (t) => {
    const eve = await asked(credentials, { ...service, type: 'user', principal: 'eve' })
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) await credentials.issue(eve, { name })
    await credentials.mint(eve, ['agents:read'], 60)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await credentials.list(eve, { limit: 2, cursor })
      t.ok(page.data.length <= 2)
      seen.push(...page.data.map(({ name }) => name))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    t.strictSame(seen, [...names.toReversed(), 'ci'])
    t.notOk('hash' in ((await credentials.list(eve, {})).data[0] ?? {}))
  })

  t.test('are revoked by their own principal only', async (t) => {
    const { id, key } = await credentials.issue(ada, { name: 'lost' })
    await t.rejects(credentials.revokeKey(bob, id), failing({ kind: 'forbidden', code: 'not_owner' }))
    await t.rejects(
      credentials.revokeKey(ada, 'key_00000000000000000000000000'),
      failing({ kind: 'notFound' })
    )
    await t.rejects(credentials.revokeKey(ada, 'svc_x'), failing({ kind: 'notFound' }))
    const namesake = await asked(credentials, {
      ...service,
      project: 'other',
      type: 'user',
      principal: 'ada'
    })
    await t.rejects(
      credentials.revokeKey(namesake, id),
      failing({ kind: 'forbidden' }),
      'not across projects'
    )
    await credentials.revokeKey(ada, id)
    await t.rejects(credentials.revokeKey(ada, id), failing({ kind: 'notFound' }), 'once')
    t.equal(await credentials.resolve(key), undefined)
    const listed = (await credentials.list(ada, {})).data.find((one) => one.id === id)
    t.type(listed?.revokedAt, 'string')
  })

  t.test('of a service that acts for an initiator stay with that initiator', async (t) => {
    const owner = await asked(credentials, service)
    const acting = (initiator: string): Principal => ({ ...owner, initiator, owner: initiator })
    const { id, key } = await credentials.issue(acting('ann'), { name: 'for ann' })
    t.match((await held(credentials, key)).principal, { id: owner.id, initiator: 'ann', owner: 'ann' })
    t.strictSame((await credentials.list(acting('ben'), {})).data, [])
    t.equal((await credentials.list(acting('ann'), {})).data.length, 1)
    t.equal((await credentials.list(owner, {})).data.length, 2)
    await t.rejects(credentials.revokeKey(acting('ben'), id), failing({ kind: 'forbidden' }))
    await credentials.revokeKey(acting('ann'), id)
  })

  t.test('may be made by a principal that only a token knew', async (t) => {
    const known: Principal = { ...ada, id: 'new', owner: 'new', project: 'fresh', credential: 'jwt_x' }
    const { key } = await credentials.issue({ ...known, narrowed: true }, { name: 'first' })
    t.match((await held(credentials, key)).principal, { id: 'new', project: 'fresh', type: 'user' })
  })
})

t.test('minted tokens', async (t) => {
  const base = await migrated(t)
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const pass = (ms: number) => mock.timers.setTime(Date.now() + ms)
  const credentials = await instance(t, base)
  const ada = await asked(credentials, { ...service, type: 'user', principal: 'ada' })

  t.test('act as their principal until they expire', async (t) => {
    const agent: Principal = { ...ada, id: 'agent_7', type: 'agent', owner: 'ada' }
    const { id, token } = await credentials.mint(agent, ['agents:run', 'runtime:read'], 60)
    const { principal, expiresAt } = await held(credentials, token)
    t.match(principal, { id: 'agent_7', type: 'agent', owner: 'ada', narrowed: true, credential: id })
    t.strictSame([...principal.scopes], ['agents:run', 'runtime:read'])
    t.equal(expiresAt, Date.now() + MINUTE)
    pass(MINUTE)
    t.equal(await credentials.resolve(token), undefined)
    await t.rejects(credentials.mint(principal, ['compute:read'], 60), failing({ kind: 'forbidden' }))
  })

  t.test('make nothing that outlives them', async (t) => {
    const { token } = await credentials.mint(ada, ['agents:read', 'auth:write'], 60)
    const { principal } = await held(credentials, token)
    const { key } = await credentials.issue(principal, { name: 'sneaky' })
    const longer = await credentials.mint(principal, ['agents:read'], 3600)
    t.equal((await held(credentials, longer.token)).expiresAt, Date.now() + MINUTE)
    t.ok(await credentials.resolve(key))
    pass(MINUTE)
    t.equal(await credentials.resolve(key), undefined)
  })

  t.test(
    'of a browser end without the keys that were made in it; those end with what is behind it',
    async (t) => {
      const behind = await credentials.issue(ada, { name: 'laptop' })
      const signIn = async () => {
        const { id, token } = await credentials.mint(
          (await held(credentials, behind.key)).principal,
          null,
          60
        )
        return { id, principal: (await held(credentials, token)).principal }
      }
      const session = await signIn()
      const { key } = await credentials.issue(session.principal, { name: 'script' })
      await credentials.revoke(session.id)
      t.match((await held(credentials, key)).principal, { id: 'ada', narrowed: false })
      await t.rejects(credentials.issue(session.principal, { name: 'late' }), { code: 'revoked' })

      const other = await signIn()
      const nested = await credentials.mint(other.principal, ['agents:read'], 3600)
      t.equal(
        (await held(credentials, nested.token)).expiresAt,
        Date.now() + MINUTE,
        'a token ends with the session'
      )
      pass(MINUTE)
      t.ok(await credentials.resolve(key))
      await credentials.revoke(behind.id)
      t.equal(await credentials.resolve(key), undefined)
      await t.rejects(credentials.issue(other.principal, { name: 'later' }), { code: 'revoked' })
    }
  )

  t.test('are removed a day after their end, unless others were made with them', async (t) => {
    const plain = await credentials.mint(ada, ['agents:read'], 60)
    const parent = await credentials.mint(ada, ['agents:read'], 60)
    await credentials.issue((await held(credentials, parent.token)).principal, { name: 'child' })
    const young = await credentials.mint(ada, ['agents:read'], 2 * 24 * 3600)
    pass(25 * 60 * MINUTE)
    await credentials.prune()
    const ids = await base.knex('kernel.credential').pluck('id')
    t.strictSame(
      [plain, parent, young].map(({ id }) => ids.includes(id)),
      [false, true, true]
    )
  })
})

t.test('when a key was used last', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const [used, other] = [await credentials.createKey(service), await credentials.createKey(service)]
  const times = async () => await base.knex('kernel.credential').orderBy('id').pluck('lastUsedAt')
  t.strictSame(await times(), [null, null])
  await credentials.resolve(used)
  const [first, unused] = await times()
  t.ok(Math.abs(first - Date.now()) < MINUTE)
  t.equal(unused, null)
  await credentials.resolve(used)
  await credentials.resolve(other)
  t.strictSame((await times())[0], first, 'is saved at most once a minute')
  t.ok((await times())[1])
  await base.knex('kernel.credential').update({ lastUsedAt: new Date(first - 2 * MINUTE) })
  await credentials.resolve(used)
  t.ok((await times())[0] >= first, 'and again after it')
})

t.test('a database that is away is no bad token', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const key = await credentials.createKey(service)
  const connection = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }
  const { knex: gone, close } = openDatabase(connection)
  t.teardown(close)
  const signals = { send() {}, on: () => ({ [Symbol.dispose]() {} }) }
  const cut = createCredentials({
    knex: gone,
    signals,
    tokens: noTokens,
    transaction: createTransaction(gone)
  })
  await cut.resolve(key).then(
    () => t.fail('it resolved'),
    (error) => t.match(failureOf(error), { kind: 'unavailable', code: 'database_unavailable' })
  )
  t.equal(await cut.resolve(`${key.slice(0, -1)}_`), undefined, 'a typo is refused all the same')
})
