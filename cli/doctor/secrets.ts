import { existsSync } from 'node:fs'
import type { Knex } from 'knex'
import { keyFileOf } from '../../kernel/database/vault/key-file.ts'
import { findMasterKeys } from '../../kernel/database/vault/secret-key.ts'
import { createWrapping } from '../../kernel/database/vault/wrapping.ts'
import { silent } from '../database.ts'
import { invocation } from '../output.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, warning } from './finding.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

/** Opens every stored key by the master keys at hand; shows none. */
export const masterKeyCheck = (target: Target): Check => ({
  ...onDatabase(target, 'master key', (knex) => survey(knex, target)),
  seconds: 60
})

async function survey(knex: Knex, { settings }: Target): Promise<Finding> {
  const { PLATFORM_SECRET_KEY: value, DATA_DIR: dataDir, production } = settings
  const stored = await countStored(knex)
  if (production && !value) return warning('not checked: PLATFORM_SECRET_KEY is not set', 'see settings')
  if (!value && !existsSync(keyFileOf(dataDir))) {
    if (stored === 0) return ok('made at the first start')
    return problem(
      `${keyFileOf(dataDir)} is not there, and ${count(stored, 'stored key')} cannot be opened without it`,
      'bring the file back from a backup, or set PLATFORM_SECRET_KEY, before the platform starts and makes another'
    )
  }
  const masterKeys = findMasterKeys({ value, dataDir, production })
  const where = value ? 'PLATFORM_SECRET_KEY' : keyFileOf(dataDir)
  const keys = masterKeys().length
  if (stored === 0) return ok(`from ${where}, and nothing is stored under it yet`)
  const { first, older, lost } = await createWrapping(knex, masterKeys, silent).survey()
  if (lost > 0)
    return problem(
      `${lost} of ${count(stored, 'stored key')} cannot be opened by what ${where} holds`,
      `add the master key that is missing behind the first, separated by a comma, then \`${invocation} secrets rotate\``
    )
  if (older > 0)
    return warning(
      `${first} of ${count(stored, 'stored key')} open by the first master key, ${older} by an older one`,
      `\`${invocation} secrets rotate\`, before the older one is left out`
    )
  const rest = keys > 1 && value ? '; the others are not needed any more' : ''
  return ok(`${count(stored, 'stored key')}, all of them opened by the first one in ${where}${rest}`)
}

async function countStored(knex: Knex): Promise<number> {
  const [{ there }] = (await knex.raw(`select to_regclass('kernel.signing_key') is not null as there`)).rows
  if (!there) return 0
  const { rows } = await knex.raw(
    'select ((select count(*) from kernel.data_key) + (select count(*) from kernel.signing_key))::int as stored'
  )
  return rows[0].stored
}
