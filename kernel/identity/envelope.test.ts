import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { pino } from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { database } from '../../test/database.ts'
import * as vaultMigration from '../database/migrations/0007-create-vault.ts'
import { masterKeyOf } from '../database/vault/secret-key.ts'
import { createVault } from '../database/vault/vault.ts'
import type { Envelope } from './envelope.ts'
import { createEnvelope } from './envelope.ts'
import type { Principal } from './ownership.ts'

const log = pino({ level: 'silent' })
const baseUrl = 'https://agents.example'
const DAY = 24 * 60 * 60 * 1000
const ann: Principal = {
  id: 'svc_1',
  type: 'service',
  project: 'default',
  initiator: 'ann',
  owner: 'ann',
  scopes: new Set(['compute:read', 'compute:write']),
  narrowed: false,
  credential: 'key_1'
}

async function setUp(t: Test) {
  const { knex } = await database(t)
  await knex.raw('create schema kernel')
  await vaultMigration.up(knex)
  const masterKey = masterKeyOf(randomBytes(32))
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
  const open = () => {
    const vault = createVault({ knex, masterKeys: () => [masterKey], log })
    return { vault, envelope: createEnvelope({ knex, vault, baseUrl, log }) }
  }
  return { knex, clock, open, masterKey }
}

const read = async ({ keys }: Envelope, token: string, time: number, audience = 'compute') => {
  const { keys: published } = await keys()
  return jwtVerify(token, createLocalJWKSet({ keys: published as never }), {
    issuer: baseUrl,
    audience,
    typ: 'principal+jwt',
    algorithms: ['EdDSA'],
    currentDate: new Date(time)
  })
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid

t.test('says who asks, to one audience, for 60 seconds', async (t) => {
  const { clock, open } = await setUp(t)
  const { envelope } = open()
  const token = await envelope.sign(ann, 'compute', 'req_1')
  const { payload, protectedHeader } = await read(envelope, token, clock.time)
  const { iat = 0, exp = 0, ...claims } = payload
  t.strictSame(claims, {
    iss: baseUrl,
    aud: 'compute',
    sub: 'svc_1',
    jti: 'req_1',
    principalType: 'service',
    project: 'default',
    initiator: 'ann',
    owner: 'ann',
    scopes: ['compute:read', 'compute:write']
  })
  t.equal(exp - iat, 60)
  t.equal(protectedHeader.typ, 'principal+jwt')
  await t.rejects(read(envelope, token, clock.time + 61_000), { code: 'ERR_JWT_EXPIRED' })
  await t.rejects(read(envelope, token, clock.time, 'other'), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' })
  const { initiator: _, ...alone } = ann
  const plain = await envelope.sign({ ...alone, owner: ann.id }, 'compute', 'req_2')
  t.notOk('initiator' in (await read(envelope, plain, clock.time)).payload)
})

t.test('its keys are public, and private ones lie sealed', async (t) => {
  const { knex, open } = await setUp(t)
  const { keys } = await open().envelope.keys()
  t.equal(keys.length, 1)
  t.strictSame(Object.keys(keys[0] ?? {}).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  const row = await knex('kernel.signing_key').first()
  t.notOk(Buffer.from(row.wrapped, 'base64url').includes('PRIVATE'))
  await knex('kernel.signing_key').update({ id: 'sk_other' })
  await t.rejects(open().envelope.sign(ann, 'compute', 'r'), /cannot be opened/, 'bound to its row')
})

t.test('instances that start together share one key', async (t) => {
  const { knex, clock, open } = await setUp(t)
  const instances = Array.from({ length: 6 }, () => open().envelope)
  const tokens = await Promise.all(instances.map((envelope) => envelope.sign(ann, 'compute', 'r')))
  t.equal(new Set(tokens.map(kidOf)).size, 1)
  t.equal((await knex('kernel.signing_key')).length, 1)
  for (const token of tokens) t.ok(await read(instances[0] as Envelope, token, clock.time))
  t.equal(kidOf(await open().envelope.sign(ann, 'compute', 'r')), kidOf(tokens[0] as string), 'also later')
})

t.test('keys rotate, and the old one stays published until nothing of it can be good', async (t) => {
  const { knex, clock, open } = await setUp(t)
  const [one, two] = [open().envelope, open().envelope]
  const first = await one.sign(ann, 'compute', 'r')
  clock.time += 30 * DAY - 1000
  const last = await two.sign(ann, 'compute', 'r')
  t.equal(kidOf(last), kidOf(first))
  clock.time += 2000
  const [next, same] = await Promise.all([one.sign(ann, 'compute', 'r'), two.sign(ann, 'compute', 'r')])
  t.not(kidOf(next), kidOf(first))
  t.equal(kidOf(next), kidOf(same))
  t.ok(await read(one, last, clock.time), 'what was signed just before')
  clock.time += DAY
  t.strictSame(
    (await two.keys()).keys.map(({ kid }) => kid),
    [kidOf(next), kidOf(first)]
  )
  clock.time += 60_000
  t.strictSame(
    (await two.keys()).keys.map(({ kid }) => kid),
    [kidOf(next)]
  )
  clock.time += 30 * DAY
  await one.sign(ann, 'compute', 'r')
  t.strictSame(
    await knex('kernel.signing_key').orderBy('generation').pluck('generation'),
    [2, 3],
    'and is deleted'
  )
})

t.test('a new master key takes the signing keys along', async (t) => {
  const { knex, clock, open, masterKey } = await setUp(t)
  const { envelope } = open()
  const before = await envelope.sign(ann, 'compute', 'r')
  const next = masterKeyOf(randomBytes(32))
  const both = createVault({ knex, masterKeys: () => [next, masterKey], log })
  t.strictSame(await both.rotate(), { changed: 1, lost: 0 })
  const rotated = createVault({ knex, masterKeys: () => [next], log })
  const again = createEnvelope({ knex, vault: rotated, baseUrl, log })
  t.equal(kidOf(await again.sign(ann, 'compute', 'r')), kidOf(before))
  t.ok(await read(again, before, clock.time))
})
