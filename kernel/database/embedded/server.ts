import { chownSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folder } from './folder.ts'
import { makeWhole, notOurs, openFolder, run } from './folder.ts'
import type { Log, Place } from './place.ts'
import { keepPlace, takePlace } from './place.ts'
import type { Launched } from './postmaster.ts'
import { addressOf, findServer, launch } from './postmaster.ts'
import { findPrograms } from './programs.ts'

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Log
  /** Settings of PostgreSQL over those below; they count when this process starts the server. */
  readonly settings?: Readonly<Record<string, string>>
}

// Not a superuser: a statement that an attacker got in must not reach files and programs of the machine.
const firstStatements = 'create role platform login createdb\ncreate database platform owner platform\n'

const defaults = {
  listen_addresses: '',
  max_connections: '200',
  // Frees what a killed client was running.
  client_connection_check_interval: '500ms',
  // What a statement says may be secret: the log tells of the server alone, never of statements.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off'
}

/**
 * A PostgreSQL server of this platform's own on `dataDir`: made, started or adopted, whichever is needed. It
 * outlives this process, and is started again as soon as it dies while this process uses it. Rejects with one
 * line when the folder cannot be used or no PostgreSQL is there for this machine.
 */
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions) {
  const { folder, bin } = prepare(path.resolve(dataDir))
  const { where } = folder
  const chosen = { unix_socket_directories: `"${where}"`, ...defaults, ...settings }
  const start = () => reach(folder, bin, chosen)
  const { place, adopted } = await start()
  log.info({ where, adopted }, 'embedded PostgreSQL runs')
  return {
    connection: { ...addressOf(where), user: 'platform', database: 'platform' },
    /** The real folder of the data, to print. */
    where,
    /** It ran already. */
    adopted,
    /** Stops the server if no other client is connected. Call it when all own connections are closed. */
    leave: keepPlace(where, log, place, async () => (await start()).place)
  }
}

function prepare(dataDir: string): { folder: Folder; bin: string } {
  try {
    const folder = openFolder(dataDir)
    const { bin, major } = findPrograms(folder.account)
    ensureData(folder, bin, major)
    return { folder, bin }
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`The embedded PostgreSQL on ${dataDir} cannot be used: ${message}`, { cause })
  }
}

/** Makes the data where there are none. */
function ensureData({ where, account }: Folder, bin: string, major: number) {
  makeWhole(where, 'PG_VERSION', (aside) => {
    if (readdirSync(where).length > 0) throw new Error(notOurs)
    if (account) chownSync(aside, account.uid, account.gid)
    const access = ['-U', 'postgres', '--auth-local=trust', '--auth-host=reject']
    const form = ['-E', 'UTF8', '--locale=C', '--no-instructions']
    run(account, path.join(bin, 'initdb'), ['-D', aside, ...access, ...form])
    run(account, path.join(bin, 'postgres'), ['--single', '-D', aside, 'postgres'], firstStatements)
  })
  const made = readFileSync(path.join(where, 'PG_VERSION'), 'utf8').trim()
  if (Number(made) !== major)
    throw new Error(
      `it was made by PostgreSQL ${made}, the embedded one is ${major}: move the data by pg_dump, ` +
        `or set DATABASE_URL to a server of version ${made}`
    )
}

/** Takes a place at the server that runs, or at one that this starts; several processes may do so at once. */
async function reach(
  folder: Folder,
  bin: string,
  settings: Readonly<Record<string, string>>
): Promise<{ place: Place; adopted: boolean }> {
  const { where } = folder
  let own: Launched | undefined
  let reason = 'it does not answer'
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(15)) {
    const server = findServer(where)
    if (server?.isReady)
      try {
        return { place: await takePlace(where), adopted: server.pid !== own?.child.pid }
      } catch (error) {
        reason = (error as Error).message
      }
    if (server || (own && !own.hasEnded())) continue
    if (own?.child.exitCode) {
      reason = own.fault()
      // Another process was faster, or sessions of a killed server are still ending.
      if (!/lock file|shared memory block/.test(reason)) break
    }
    own = launch(folder, bin, settings)
  }
  throw new Error(`The embedded PostgreSQL on ${where} did not start: ${reason}`)
}
