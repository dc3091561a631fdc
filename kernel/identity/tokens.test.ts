import { mock } from 'node:test'
import type { JWK, JWTHeaderParameters, JWTPayload } from 'jose'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { database } from '../../test/database.ts'
import type { Signer } from '../../test/identity-provider.ts'
import { provider, signer } from '../../test/identity-provider.ts'
import * as credentialMigration from '../database/migrations/0002-create-credential.ts'
import * as narrowedMigration from '../database/migrations/0012-add-credential-narrowed.ts'
import * as closedMigration from '../database/migrations/0013-add-project-closed-at.ts'
import * as rootMigration from '../database/migrations/0014-add-credential-root.ts'
import { createTransaction } from '../database/transaction.ts'
import { createCredentials } from './credentials.ts'
import { createTokens } from './tokens.ts'

const log = pino({ level: 'silent' })
const baseUrl = 'https://agents.example'
const SECOND = 1000

/** Tokens of one provider, by a clock that only the test moves. */
async function setUp(t: Test, keys: JWK[], options = {}) {
  const idp = await provider(t, keys, options)
  mock.timers.reset()
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const clock = {
    get time() {
      return Date.now()
    },
    set time(now) {
      mock.timers.setTime(now)
    }
  }

  const token = (by: Signer, claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) => {
    const iat = Math.floor(clock.time / SECOND)
    const payload = { iss: idp.issuer, aud: baseUrl, sub: 'user_1', iat, exp: iat + 300, ...claims }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: by.alg, typ: 'at+jwt', kid: by.kid, ...header })
      .sign(by.privateKey)
  }
  return { ...idp, clock, token, tokens: createTokens({ authUrl: idp.issuer, baseUrl, log }) }
}

t.test('what a token says', async (t) => {
  const signers = await Promise.all([signer('ES256'), signer('EdDSA'), signer('RS256')])
  const { tokens, token, clock } = await setUp(
    t,
    signers.map(({ jwk }) => jwk)
  )
  const [es256] = signers as [Signer, ...Signer[]]

  t.test('by each algorithm', async (t) => {
    for (const by of signers) {
      const text = await token(by, { scope: 'agents:read  goals:write' })
      const grant = await tokens.verify(text)
      t.match(grant, {
        principal: { id: 'user_1', type: 'user', project: 'default', owner: 'user_1', narrowed: false }
      })
      t.strictSame([...(grant?.principal.scopes ?? [])], ['agents:read', 'goals:write'])
      t.match(grant?.credential, /^jwt_[A-Za-z0-9_-]{43}$/)
      t.equal(grant?.principal.credential, grant?.credential)
      t.notOk(text.includes(grant?.credential.slice(4) ?? ''))
    }
  })

  t.test('of its principal', async (t) => {
    const claims = { principal_type: 'service', project_id: 'p-1', sub: 'svc_1' }
    const grant = await tokens.verify(await token(es256, claims))
    t.match(grant?.principal, { id: 'svc_1', type: 'service', project: 'p-1', narrowed: true })
    t.equal(grant?.principal.scopes.size, 0, 'no scope means none')
  })

  t.test('when the person proved who it is', async (t) => {
    const since = async (claim: unknown) =>
      (await tokens.verify(await token(es256, { auth_time: claim })))?.principal.token?.authenticatedAt
    t.equal(await since(1_790_000_000), 1_790_000_000_000)
    t.equal(await since(undefined), undefined)
    t.equal(await since('1790000000'), undefined, 'what is no time is none')
  })

  t.test('of an application that a person let in', async (t) => {
    const narrowed = async (claim: unknown) =>
      (await tokens.verify(await token(es256, { narrowed: claim })))?.principal.narrowed
    t.equal(await narrowed(true), true)
    t.equal(await narrowed('yes'), true, 'what nobody understands takes away as well')
    t.equal(await narrowed(false), false)
    const service = await tokens.verify(await token(es256, { principal_type: 'service', narrowed: false }))
    t.equal(service?.principal.narrowed, true, 'and gives nothing')
  })

  t.test('is good until it expires, and 30 seconds longer', async (t) => {
    const exp = Math.floor(clock.time / SECOND) + 10
    const text = await token(es256, { exp })
    t.equal((await tokens.verify(text))?.expiresAt, (exp + 30) * SECOND)
    clock.time = (exp + 29) * SECOND
    t.ok(await tokens.verify(text))
    clock.time = (exp + 31) * SECOND
    t.equal(await tokens.verify(text), undefined)
  })

  t.test('is refused when a claim or the header is not as it must be', async (t) => {
    const now = Math.floor(clock.time / SECOND)
    const claims: Record<string, JWTPayload> = {
      'another issuer': { iss: 'https://evil.example' },
      'another audience': { aud: 'https://other.example' },
      'no audience': { aud: undefined },
      expired: { exp: now - 31 },
      'not valid yet': { nbf: now + 31 },
      'no end': { exp: undefined },
      nobody: { sub: undefined },
      'an empty name': { sub: '' },
      'a number for a name': { sub: 123 as never },
      'a list for a name': { sub: ['user_1'] as never },
      'a name with a space': { sub: 'a b' },
      'a name that is too long': { sub: 'x'.repeat(129) },
      'an unknown type': { principal_type: 'root' },
      'a type of no string': { principal_type: ['user'] },
      'a bad project': { project_id: '../x' },
      'a project of no string': { project_id: 7 },
      'a key of DPoP': { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } },
      'a certificate of mutual TLS': { cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } },
      'a confirmation that is empty': { cnf: {} },
      'a confirmation that is null': { cnf: null }
    }
    for (const [name, claim] of Object.entries(claims))
      t.equal(await tokens.verify(await token(es256, claim)), undefined, name)
    for (const typ of ['id+jwt', 'principal+jwt', 'JWS', undefined])
      t.equal(await tokens.verify(await token(es256, {}, { typ })), undefined, `typ ${typ}`)
    for (const typ of ['JWT', 'application/at+jwt', 'AT+JWT'])
      t.ok(await tokens.verify(await token(es256, {}, { typ })), `typ ${typ}`)
    t.ok(
      await tokens.verify(await token(es256, { aud: ['https://other.example', baseUrl] })),
      'one of several'
    )
  })

  t.test('is refused when it is no token at all', async (t) => {
    for (const text of ['', '..', 'a.b.c', `${'x'.repeat(17_000)}.a.b`, '\0.a.b'])
      t.equal(await tokens.verify(text), undefined)
  })
})

t.test('forged signatures', async (t) => {
  const [rs256, es256, foreign] = await Promise.all([
    signer('RS256'),
    signer('ES256'),
    signer('ES256', 'kid-ES256')
  ])
  const hmac = { kty: 'oct', k: Buffer.from('secret').toString('base64url'), kid: 'hmac', alg: 'HS256' }
  const { tokens, token, issuer, state } = await setUp(t, [rs256.jwk, es256.jwk, hmac])
  const exp = Math.floor(Date.now() / SECOND) + 300
  const claims = { iss: issuer, aud: baseUrl, sub: 'admin', exp }

  t.equal(await tokens.verify(await token(foreign)), undefined, 'by another key under a known kid')
  const pem = Buffer.from(await exportSPKI(rs256.publicKey))
  for (const [secret, kid] of [
    [pem, rs256.kid],
    [Buffer.from('secret'), 'hmac']
  ] as const) {
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .sign(secret)
    t.equal(await tokens.verify(confused), undefined, `HS256 under ${kid}`)
  }
  t.equal(await tokens.verify(new UnsecuredJWT(claims).encode()), undefined, 'none')
  const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  t.equal(await tokens.verify(`${header}.${payload}.AA`), undefined, 'none with a signature')
  const [ours, , signature] = (await token(es256)).split('.')
  t.equal(await tokens.verify(`${ours}.${payload}.${signature}`), undefined, 'another payload')
  t.equal(await tokens.verify(await token(es256, {}, { kid: rs256.kid })), undefined, 'a key of another kind')
  const embedded = await token(
    { ...foreign, kid: undefined },
    {},
    { jwk: foreign.jwk, jku: 'http://127.0.0.1:1/' }
  )
  t.equal(await tokens.verify(embedded), undefined, 'a key that it brings itself')
  const ps256 = await generateKeyPair('PS256', { extractable: true })
  state.keys.push({ ...(await exportJWK(ps256.publicKey)), kid: 'ps' })
  const text = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: 'ps' })
    .sign(ps256.privateKey)
  t.equal(await tokens.verify(text), undefined, 'an algorithm that is not on the list')
})

t.test('keys that change', async (t) => {
  const [old, next, stranger] = await Promise.all([
    signer('ES256', 'old'),
    signer('ES256', 'next'),
    signer('ES256', 'stranger')
  ])
  const { tokens, token, state, clock } = await setUp(t, [old.jwk])
  t.ok(await tokens.verify(await token(old)))
  t.ok(await tokens.verify(await token(old)))
  t.equal(state.asked, 1)
  state.keys = [old.jwk, next.jwk]
  clock.time += 31 * SECOND
  t.ok(await tokens.verify(await token(next)), 'an unknown kid reads the key set again')
  t.equal(state.asked, 2)
  for (let i = 0; i < 5; i++) t.equal(await tokens.verify(await token(stranger)), undefined)
  t.equal(state.asked, 2, 'but not twice in 30 seconds')
  clock.time += 31 * SECOND
  await Promise.all(Array.from({ length: 5 }, async () => tokens.verify(await token(stranger))))
  t.equal(state.asked, 3, 'and once for all that ask at the same time')

  state.keys = [next.jwk]
  clock.time += 61 * 60 * SECOND
  t.equal(
    await tokens.verify(await token(old)),
    undefined,
    'a key that was withdrawn is forgotten within the hour'
  )
})

t.test('a provider that is away', async (t) => {
  const key = await signer('EdDSA')
  const other = await signer('EdDSA', 'other')
  const { tokens, token, state, clock, close } = await setUp(t, [key.jwk])
  state.up = false
  await t.rejects(tokens.verify(await token(key)), { kind: 'unavailable' } as never)
  t.equal(await tokens.verify('a.b.c'), undefined, 'what is no token needs no key')
  state.up = true
  clock.time += 6 * SECOND
  t.ok(await tokens.verify(await token(key)), 'is asked again')

  await close()
  clock.time += 20 * 60 * SECOND
  t.ok(await tokens.verify(await token(key)), 'known keys go on')
  clock.time += 6 * SECOND
  await t.rejects(
    tokens.verify(await token(other)),
    { kind: 'unavailable' } as never,
    'an unknown one may be new'
  )
  clock.time += 61 * 60 * SECOND
  await t.rejects(tokens.verify(await token(key)), { kind: 'unavailable' } as never, 'not for ever')
})

t.test('discovery', async (t) => {
  const key = await signer('ES256')
  const oauth = await setUp(t, [key.jwk], { oauth: true })
  t.ok(
    await oauth.tokens.verify(await oauth.token(key)),
    'by OAuth metadata where there is no OpenID document'
  )
  const another = await setUp(t, [key.jwk])
  another.state.issuer = 'https://evil.example'
  await t.rejects(another.tokens.verify(await another.token(key)), { kind: 'unavailable' } as never)
  t.equal(another.state.asked, 0, 'the keys of another issuer are not even read')
  const none = createTokens({ baseUrl, log })
  t.equal(await none.verify(await oauth.token(key)), undefined, 'without AUTH_URL')
})

t.test('tokens beside what is stored of their principals', async (t) => {
  const { knex } = await database(t)
  await knex.raw('create schema kernel')
  await credentialMigration.up(knex)
  await narrowedMigration.up(knex)
  await closedMigration.up(knex)
  await rootMigration.up(knex)
  const key = await signer('ES256')
  const { tokens, token } = await setUp(t, [key.jwk])
  const signals = { send() {}, on: () => ({ [Symbol.dispose]() {} }) }
  const ownerOfAgent = async (project: string, id: string) =>
    project === 'default' && id.startsWith('agent_') ? 'ada' : undefined
  const transaction = createTransaction(knex)
  const credentials = createCredentials({ knex, signals, tokens, transaction, ownerOfAgent })
  const agent = { name: 'a', project: 'default', type: 'agent', principal: 'agent_1' } as const
  await credentials.createKey(agent)

  t.match((await credentials.resolve(await token(key)))?.principal, { id: 'user_1', owner: 'user_1' })
  const closing = () => knex('kernel.project').where({ id: 'default' })
  await closing().update({ closedAt: new Date() })
  t.equal(
    await credentials.resolve(await token(key)),
    undefined,
    'who is stored nowhere, in a project that is closed'
  )
  await closing().update({ closedAt: null })
  t.ok(await credentials.resolve(await token(key)))
  const ofAgent = await token(key, { sub: 'agent_1', principal_type: 'agent' })
  t.match((await credentials.resolve(ofAgent))?.principal, { id: 'agent_1', owner: 'ada', narrowed: true })
  t.equal(await credentials.resolve(await token(key, { sub: 'agent_1' })), undefined, 'one name has one type')
  const resolved = async (claims: JWTPayload) => await credentials.resolve(await token(key, claims))
  t.match(
    (await resolved({ sub: 'agent_2', principal_type: 'agent' }))?.principal,
    { id: 'agent_2', owner: 'ada' },
    'an agent without a key'
  )
  t.equal(await resolved({ sub: 'nobody', principal_type: 'agent' }), undefined, 'an agent that is not there')
  t.equal(await resolved({ sub: 'agent_1', principal_type: 'agent', project_id: 'other' }), undefined)
  await knex('kernel.principal').update({ disabledAt: new Date() })
  t.equal(await credentials.resolve(ofAgent), undefined, 'a disabled principal')
})
