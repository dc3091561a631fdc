import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { findBinaries } from './binaries.ts'
import { ensureCluster, platform } from './cluster.ts'
import type { Folder } from './folder.ts'
import { openFolder, socketFolder } from './folder.ts'
import type { Launched } from './postmaster.ts'
import { isServer, launch, readLock, removeLocks } from './postmaster.ts'
import type { Presence } from './presence.ts'
import { takePlace } from './presence.ts'
import { keepPlace } from './recovery.ts'

export interface Embedded {
  /** `host` is the folder of the server's socket. The role owns the database and is no superuser. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** The real folder of the data, to print. */
  readonly where: string
  /** It ran already. */
  readonly adopted: boolean
  /**
   * Stops the server if no other client is connected, and waits until it has stopped; otherwise leaves it to
   * the others. Call it when all own connections are closed. Never rejects.
   */
  leave(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Settings of PostgreSQL over those below; they count when this process starts the server. */
  readonly settings?: Readonly<Record<string, string>>
}

const port = 5432
const patience = 120_000

const defaults = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
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
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions): Promise<Embedded> {
  const folder = await openFolder(dataDir)
  const { where } = folder
  if (folder.found) log.warn({ where, dataDir }, 'the data of an earlier folder at this place are used again')
  const binaries = await findBinaries(folder.account, folder.spare)
  await ensureCluster(folder, binaries, settings?.fsync !== 'off')
  const host = socketFolder(folder, port)
  const chosen = {
    port: String(port),
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
    ...defaults
  }
  const start = () => reach(folder, binaries.postgres, { ...chosen, ...settings })

  const first = await start()
  log.info({ where, adopted: first.adopted }, 'embedded PostgreSQL runs')
  const place = keepPlace({ where, log, first: first.presence, start: async () => (await start()).presence })
  return {
    connection: { host: first.host, port: first.port, user: platform, database: platform },
    where,
    adopted: first.adopted,
    leave: place.leave
  }
}

interface Reached {
  readonly presence: Presence
  readonly adopted: boolean
  readonly host: string
  readonly port: number
}

/** Takes a place at the server that runs, or at one that this starts; several processes may do so at once. */
async function reach(
  folder: Folder,
  postgres: string,
  settings: Readonly<Record<string, string>>
): Promise<Reached> {
  const { where } = folder
  let launched: Launched | undefined
  let reason = 'it does not answer'
  for (const end = Date.now() + patience; Date.now() < end; await sleep(15)) {
    const lock = readLock(where)
    if (lock?.status === 'ready') {
      const place = await takePlace(lock.socketFolder, lock.port).catch((error: Error) => error)
      if (!(place instanceof Error))
        return {
          presence: place,
          adopted: lock.pid !== launched?.pid,
          host: lock.socketFolder,
          port: lock.port
        }
      reason = place.message
      if (isRefusal(place)) break
    }
    if (launched && launched.failure === undefined) continue
    if (lock && isServer(lock.pid, where)) continue
    if (launched?.failure !== undefined) {
      reason = launched.failure
      if (!isContention(reason)) break
      await sleep(50)
    }
    if (lock) removeLocks(where, lock)
    launched = launch(folder, postgres, settings)
  }
  throw new Error(`The embedded PostgreSQL on ${where} did not start: ${reason}`)
}

/** The role or the database is missing: waiting does not help. */
const isRefusal = (error: Error & { code?: string }): boolean => /^(28|3D)/.test(error.code ?? '')

/** Another process started or stopped one meanwhile, or sessions of a killed server are still ending. */
const isContention = (failure: string): boolean =>
  /lock file|shared memory block|^it was stopped/.test(failure)
