import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import * as vaultMigration from '../../../kernel/database/migrations/0007-create-vault.ts'
import { masterKeyOf } from '../../../kernel/database/vault/secret-key.ts'
import type { Vault } from '../../../kernel/database/vault/vault.ts'
import { createVault } from '../../../kernel/database/vault/vault.ts'
import { database } from '../../database.ts'
import { median, range } from '../rounds.ts'
import type { Measure } from '../row.ts'

const PLACE = 'tools.tool_key/tkey_01k4qz0000e0080000000000ab'

/** Microseconds that it takes to seal a key and to open it. */
async function time(vault: Vault, count: number): Promise<number> {
  const value = randomBytes(24).toString('hex')
  const begun = performance.now()
  for (let n = 0; n < count; n++)
    if ((await vault.open('default', PLACE, await vault.seal('default', PLACE, value))) !== value)
      throw new Error('Another text came out')
  return ((performance.now() - begun) / count) * 1_000
}

/** What a key costs each call that it goes along with. */
export const measure: Measure = async (scope, quick) => {
  const { knex } = await database(scope)
  await knex.raw('create schema kernel')
  await vaultMigration.up(knex)
  const master = masterKeyOf(randomBytes(32))
  const vault = createVault({ knex, masterKeys: () => [master], log: pino({ level: 'silent' }) })
  const count = quick ? 2_000 : 10_000
  await time(vault, count)
  const rounds: number[] = []
  for (let round = 0; round < 7; round++) rounds.push(await time(vault, count))
  const took = median(rounds)
  return [
    {
      what: 'a key sealed and opened',
      reach: '≤ 100 µs',
      measured: `${took.toFixed(1)} µs (${range([Math.min(...rounds), Math.max(...rounds)])})`,
      met: took <= 100
    }
  ]
}
