import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { findKeyFile, rotateKeyFile } from '../../kernel/database/vault/rotation.ts'
import { findMasterKeys } from '../../kernel/database/vault/secret-key.ts'
import type { Rotated } from '../../kernel/database/vault/wrapping.ts'
import { createWrapping } from '../../kernel/database/vault/wrapping.ts'
import type { Settings } from '../../kernel/settings.ts'
import { readSettings } from '../../kernel/settings.ts'
import type { OwnDatabase } from '../database.ts'
import { silent, withTables } from '../database.ts'
import { FAILED } from '../faults.ts'
import { refuseUrl, urlOption } from '../operator.ts'
import { examples, jsonOption, note, say } from '../output.ts'

/** What a rotation did, and with how many master keys the platform goes on. */
interface Outcome extends Rotated {
  readonly source: 'environment' | 'file'
  readonly keys: number
}

export function secretsCommand(): Command {
  const secrets = new Command('secrets').description(
    'Manage the master key, under which all secrets are encrypted'
  )
  examples(
    secrets
      .command('rotate')
      .description(
        'Rotate the master key: re-encrypt every stored data key with the first key in ' +
          'PLATFORM_SECRET_KEY="new,old", or, in development without that variable, with a new key. ' +
          'Safe while the platform runs.'
      )
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(rotate),
    'secrets rotate'
  )
  return secrets
}

async function rotate({ url, json }: { url?: string; json?: boolean }): Promise<void> {
  refuseUrl({ url }, 'secrets rotate')
  const { settings, faults } = readSettings(process.env)
  // On a platform that has never started there is nothing to rotate, and nothing is made.
  if (faults.length === 0 && !settings.PLATFORM_SECRET_KEY) findKeyFile(settings.DATA_DIR)
  const outcome = await withTables((database) =>
    settings.PLATFORM_SECRET_KEY ? byEnvironment(database, settings.PLATFORM_SECRET_KEY) : byFile(database)
  )
  say(sentenceOf(outcome, settings), outcome, json)
  if (outcome.lost === 0) return
  note(`${countOf(outcome.lost)} cannot be decrypted and did not change: a master key is missing`)
  process.exitCode = FAILED
}

async function byEnvironment({ knex, settings }: OwnDatabase, value: string): Promise<Outcome> {
  const { DATA_DIR: dataDir, production } = settings
  const masterKeys = findMasterKeys({ value, dataDir, production })
  const rotated = await createWrapping(knex, masterKeys, silent).rotate()
  return { source: 'environment', ...rotated, keys: masterKeys().length }
}

async function byFile({ knex, settings }: OwnDatabase): Promise<Outcome> {
  const { DATA_DIR: dataDir } = settings
  const rotated = await rotateKeyFile({ knex, dataDir, log: silent, keep: hasAnother(settings) })
  return { source: 'file', ...rotated }
}

/** Keys of the embedded database lie under the same master key, and cannot be seen from here. */
const hasAnother = ({ DATABASE_URL, DATA_DIR }: Settings): boolean =>
  DATABASE_URL !== undefined && existsSync(join(DATA_DIR, 'postgres', 'PG_VERSION'))

const countOf = (keys: number): string => `${keys} stored ${keys === 1 ? 'key' : 'keys'}`

function sentenceOf({ source, changed, lost, keys }: Outcome, settings: Settings): string {
  if (source === 'environment') {
    const did = `${countOf(changed)} wrapped anew by the first key of PLATFORM_SECRET_KEY`
    if (keys > 1) return `${did}; when all instances have it first, leave the others out`
    return changed > 0 ? did : `${did}, which holds one key: to change it, set "new,old"`
  }
  const file = join(settings.DATA_DIR, 'secret-key')
  const did = `${countOf(changed)} wrapped anew by a new master key in ${file}`
  if (keys === 1) return `${did}; the old one is gone`
  const why = lost > 0 ? 'not everything could be opened' : `the database in ${settings.DATA_DIR} may need it`
  return `${did}; the old one stays there, since ${why}`
}
