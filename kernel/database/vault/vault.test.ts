// process: own
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { pino } from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { database } from '../../../test/database.ts'
import * as vaultMigration from '../migrations/0007-create-vault.ts'
import type { MasterKey, MasterKeys } from './secret-key.ts'
import { masterKeyOf } from './secret-key.ts'
import { createVault } from './vault.ts'

const newMaster = () => masterKeyOf(randomBytes(32))
const broken = { message: 'The sealed value cannot be opened' }

async function setUp(t: Test) {
  const { knex, connection } = await database(t)
  await knex.raw('create schema kernel')
  await vaultMigration.up(knex)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const open = (...masterKeys: readonly [MasterKey, ...MasterKey[]]) =>
    createVault({ knex, masterKeys: () => masterKeys, log })
  return { knex, connection, lines, open }
}

t.test('the migration goes down and up again', async (t) => {
  const { knex, open } = await setUp(t)
  await vaultMigration.down(knex)
  await vaultMigration.up(knex)
  const vault = open(newMaster())
  t.equal(await vault.open('p', 'x', await vault.seal('p', 'x', 'again')), 'again')
})

t.test('opens what was sealed, where it was sealed', async (t) => {
  const { knex, open } = await setUp(t)
  const master = newMaster()
  const vault = open(master)
  const place = 'tools.tool_key/1'
  for (const value of ['', 'hunter2', 'ключ 🔑', 'x'.repeat(100_000), '\0']) {
    const sealed = await vault.seal('p', place, value)
    t.match(sealed, /^v1\.dk_[0-9a-z]{26}\.[A-Za-z0-9_-]+$/)
    t.equal(await vault.open('p', place, sealed), value)
    t.equal(await open(master).open('p', place, sealed), value, 'another instance')
  }
  t.not(await vault.seal('p', place, 'x'), await vault.seal('p', place, 'x'), 'never the same twice')
  t.equal((await knex('kernel.data_key')).length, 1)
  await t.rejects(vault.seal('p', place, '\ud800'), TypeError)
})

t.test('opens nowhere else, and nothing that was changed', async (t) => {
  const { knex, open, lines } = await setUp(t)
  const vault = open(newMaster())
  const sealed = await vault.seal('p', 'place', 'secret')
  const other = await vault.seal('q', 'place', 'secret')
  await t.rejects(vault.open('p', 'elsewhere', sealed), broken)
  await t.rejects(vault.open('q', 'place', sealed), broken)
  await t.rejects(vault.open('nobody', 'place', sealed), broken)
  const [version, id, text = ''] = sealed.split('.')
  await t.rejects(vault.open('q', 'place', [version, other.split('.')[1], text].join('.')), broken)
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await t.rejects(vault.open('p', 'place', [version, id, changed.toString('base64url')].join('.')), broken)
  }
  for (const tampered of [
    '',
    'v1',
    sealed.slice(0, -1),
    `${sealed}A`,
    sealed.replace('v1', 'v2'),
    `v1.${id}.AAAA`
  ])
    await t.rejects(vault.open('p', 'place', tampered), broken)
  const key = await knex('kernel.data_key').where({ project: 'q' }).first()
  await knex('kernel.data_key').where({ project: 'p' }).update({ wrapped: key.wrapped })
  await t.rejects(open(newMaster()).open('p', 'place', sealed), broken, 'another master key')
  t.match(lines.join(), /lacks the master key/, 'which the operator is told')
  t.notOk(lines.join().includes('secret"'))
})

t.test('a data key lies bound to its project', async (t) => {
  const { knex, open } = await setUp(t)
  const master = newMaster()
  const sealed = await open(master).seal('p', 'place', 'secret')
  await knex('kernel.data_key').update({ project: 'q' })
  await t.rejects(open(master).open('q', 'place', sealed), broken)
})

t.test('instances that seal for a new project at once share its key', async (t) => {
  const { knex, open } = await setUp(t)
  const master = newMaster()
  const vaults = Array.from({ length: 6 }, () => open(master))
  const sealed = await Promise.all(vaults.map((vault, at) => vault.seal('p', 'place', String(at))))
  t.equal((await knex('kernel.data_key')).length, 1)
  for (const [at, text] of sealed.entries())
    t.equal(await vaults[5 - at]?.open('p', 'place', text), String(at))
})

t.test('rotation', async (t) => {
  t.test('wraps anew, and what was sealed stays', async (t) => {
    const { knex, open } = await setUp(t)
    const [old, next] = [newMaster(), newMaster()]
    const vault = open(old)
    const sealed = await vault.seal('p', 'place', 'secret')
    const both = open(next, old)
    t.equal(await both.open('p', 'place', sealed), 'secret', 'two master keys at a time')
    const mixed = await both.seal('q', 'place', 'new')
    t.strictSame((await knex('kernel.data_key').pluck('masterKey')).toSorted(), [old.id, next.id].toSorted())
    t.strictSame(await both.survey(), { first: 1, older: 1, lost: 0 })
    t.strictSame(await both.rotate(), { changed: 1, lost: 0 })
    t.strictSame(await both.rotate(), { changed: 0, lost: 0 })
    t.strictSame(await both.survey(), { first: 2, older: 0, lost: 0 })
    t.strictSame(await knex('kernel.data_key').distinct().pluck('masterKey'), [next.id])
    t.equal(await open(next).open('p', 'place', sealed), 'secret')
    t.equal(await open(next).open('q', 'place', mixed), 'new')
    await t.rejects(open(old).open('p', 'place', sealed), broken)
    t.strictSame(await open(old).survey(), { first: 0, older: 0, lost: 2 })
  })

  t.test('is met by a vault that reads its master keys anew', async (t) => {
    const { knex, lines } = await setUp(t)
    const [old, next] = [newMaster(), newMaster()]
    let masterKeys: MasterKeys = [old]
    let asked = 0
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const vaultOf = (read: () => MasterKeys) => createVault({ knex, masterKeys: read, log })
    const sealed = await vaultOf(() => [old]).seal('p', 'place', 'secret')
    const running = vaultOf(() => {
      asked++
      return masterKeys
    })
    t.equal(await running.seal('q', 'place', 'x').then((text) => running.open('q', 'place', text)), 'x')
    masterKeys = [next, old]
    await vaultOf(() => masterKeys).rotate()
    masterKeys = [next]
    t.equal(await running.open('p', 'place', sealed), 'secret')
    const before = asked
    t.equal(await running.open('q', 'place', await running.seal('q', 'place', 'y')), 'y')
    t.equal(asked, before, 'and only then')
    await running.seal('r', 'place', 'z')
    t.strictSame(
      await knex('kernel.data_key').distinct().pluck('masterKey'),
      [next.id],
      'and wraps by the new'
    )
    t.strictSame(lines, [])
  })

  t.test('leaves alone what it cannot open, and says so after the rest', async (t) => {
    const { knex, open } = await setUp(t)
    const [lost, old, next] = [newMaster(), newMaster(), newMaster()]
    await open(lost).seal('p', 'place', 'x')
    const sealed = await open(old).seal('q', 'place', 'kept')
    t.strictSame(await open(next, old).rotate(), { changed: 1, lost: 1 })
    t.equal(await open(next).open('q', 'place', sealed), 'kept')
    t.strictSame(await knex('kernel.data_key').where({ project: 'p' }).pluck('masterKey'), [lost.id])
  })

  t.test('goes on after kill -9', async (t) => {
    const { knex, connection, open } = await setUp(t)
    const [oldBytes, nextBytes] = [randomBytes(32), randomBytes(32)]
    const [old, next] = [masterKeyOf(oldBytes), masterKeyOf(nextBytes)]
    const vault = open(old)
    const projects = Array.from({ length: 400 }, (_, at) => `p${at}`)
    const sealed = await Promise.all(projects.map((project) => vault.seal(project, 'place', project)))
    const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
    const script = `
      import knexFactory from 'knex'
      import { createVault } from ${url('./vault.ts')}
      import { masterKeyOf } from ${url('./secret-key.ts')}
      const [old, next] = [${JSON.stringify(oldBytes.toString('hex'))}, ${JSON.stringify(nextBytes.toString('hex'))}]
        .map((hex) => masterKeyOf(Buffer.from(hex, 'hex')))
      const knex = knexFactory({ client: 'pg', connection: ${JSON.stringify(connection)} })
      await createVault({ knex, masterKeys: () => [next, old], log: console }).rotate()`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
    const exit = once(child, 'exit')
    const rotated = async () =>
      Number((await knex('kernel.data_key').where({ masterKey: next.id }).count('* as n').first())?.n)
    while ((await rotated()) === 0 && child.exitCode === null);
    child.kill('SIGKILL')
    t.strictSame(await exit, [null, 'SIGKILL'], 'killed before it was done')
    const done = await rotated()
    t.ok(done > 0 && done < projects.length, `after ${done}`)
    const both = open(next, old)
    for (const [at, project] of projects.entries())
      t.equal(await both.open(project, 'place', sealed[at] as string), project)
    t.strictSame(await both.rotate(), { changed: projects.length - done, lost: 0 })
    const after = open(next)
    t.equal(await after.open('p0', 'place', sealed[0] as string), 'p0')
    t.equal(await after.open('p399', 'place', sealed[399] as string), 'p399')
  })
})
