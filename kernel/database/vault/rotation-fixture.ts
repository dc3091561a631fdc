import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Knex } from 'knex'
import type { Test } from 'tap'
import type { Connection } from '../../../test/database.ts'
import { database } from '../../../test/database.ts'
import * as vaultMigration from '../migrations/0007-create-vault.ts'
import { newKeyText } from './key-file.ts'
import { findMasterKeys } from './secret-key.ts'
import { createVault } from './vault.ts'
import { placeOfSigningKey } from './wrapping.ts'

export const log = { error() {} }
const urlOf = (file: string) => new URL(file, import.meta.url).href

export interface Site {
  readonly knex: Knex
  readonly connection: Connection
  readonly dataDir: string
  readonly file: string
  /** What the process of a platform has: it reads the file when it must. */
  open(): ReturnType<typeof createVault>
  keys(): string[]
  /** Two secrets, of the projects p and q. */
  readonly sealed: readonly string[]
}

/** A database with three stored keys, and the file whose key wraps them. */
export async function setUp(t: Test): Promise<Site> {
  const { knex, connection } = await database(t)
  await knex.raw('create schema kernel')
  await vaultMigration.up(knex)
  const dataDir = t.testdir()
  const file = join(dataDir, 'secret-key')
  writeFileSync(file, `${newKeyText()}\n`, { mode: 0o600 })
  const masterKeys = findMasterKeys({ dataDir, production: false })
  const open = () => createVault({ knex, masterKeys, log })
  const vault = open()
  const sealed = [await vault.seal('p', 'place', 'one'), await vault.seal('q', 'place', 'two')]
  await vault.storing((trx, wrap) =>
    trx('kernel.signing_key').insert({
      id: 'sk',
      generation: 1,
      publicKey: '{}',
      signsUntil: new Date(),
      ...wrap(placeOfSigningKey('sk'), Buffer.from('signing'))
    })
  )
  const keys = () => readFileSync(file, 'utf8').trim().split(',')
  return { knex, connection, dataDir, file, open, keys, sealed }
}

/** As the process finds it that starts now. */
export async function check(t: Test, { knex, open, sealed }: Site, when: string) {
  const vault = open()
  const row = await knex('kernel.signing_key').first()
  const found = [
    await vault.open('p', 'place', sealed[0] as string),
    await vault.open('q', 'place', sealed[1] as string),
    vault.unwrap(placeOfSigningKey('sk'), row).toString(),
    (await vault.survey()).lost
  ]
  t.strictSame(found, ['one', 'two', 'signing', 0], when)
}

/** A rotation in a process of its own. */
export async function child({ dataDir, connection }: Site, env: Readonly<Record<string, string>> = {}) {
  const script = `
    import knexFactory from 'knex'
    import { rotateKeyFile } from ${JSON.stringify(urlOf('./rotation.ts'))}
    const knex = knexFactory({ client: 'pg', connection: ${JSON.stringify(connection)} })
    await rotateKeyFile({ knex, dataDir: ${JSON.stringify(dataDir)}, log: console })
    await knex.destroy()`
  const stops = urlOf('../../../test/stops.ts')
  const process_ = spawn(process.execPath, ['--import', stops, '--input-type=module', '--eval', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [lines, [code, signal]] = await Promise.all([
    process_.stdout.setEncoding('utf8').toArray(),
    once(process_, 'exit')
  ])
  return { code, signal, steps: Number.parseInt(lines.join(''), 10) }
}
