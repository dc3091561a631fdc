import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync
} from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../data-dir.ts'

/** The user that the server runs as, where it is not the user of this process: PostgreSQL refuses root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Folder {
  /** The real path of the data. */
  readonly where: string
  /** Undefined: the server runs as the user of this process. */
  readonly account: Account | undefined
}

/**
 * Decides where the data lie and who the server runs as. Root runs it as the owner of the data; new data that
 * this account could not reach in `dataDir` go to `/var/lib/agent-platform/<digest>`, linked from there, and
 * so do those whose path is too long for a socket.
 */
export function openFolder(dataDir: string): Folder {
  makeFolder(dataDir)
  const where = realpathSync(dataDir)
  const fitsSocket = Buffer.byteLength(where) < 90
  const account = process.getuid?.() === 0 ? ownerOf(where) : undefined
  if (fitsSocket && (!account || canEnter(account, path.dirname(where)))) return { where, account }
  if (!account) throw new Error('its path is too long for a socket')
  if (readdirSync(where).length > 0)
    throw new Error(
      existsSync(path.join(where, 'PG_VERSION'))
        ? `the user with the number ${account.uid}, to whom its data belong, cannot enter it`
        : notOurs
    )
  const away = serviceFolder(createHash('sha256').update(where).digest('hex').slice(0, 16))
  mkdirSync(away, { recursive: true })
  rmdirSync(where)
  symlinkSync(away, where)
  return { where: away, account: ownerOf(away) }
}

/** Of a folder that is in use for something else. */
export const notOurs = 'it is not empty and holds no PostgreSQL data'

/** A path that every user reaches. */
export function serviceFolder(name: string): string {
  const service = '/var/lib/agent-platform'
  mkdirSync(service, { recursive: true })
  chmodSync(service, 0o755)
  return path.join(service, name)
}

function ownerOf(where: string): Account {
  const { uid, gid } = statSync(path.join(where, 'PG_VERSION'), { throwIfNoEntry: false }) ?? serviceAccount()
  return { uid, gid }
}

/** The account for new data: `agent-platform` where such a user exists, else `nobody`. */
export function serviceAccount(): Account {
  const users = readFileSync('/etc/passwd', 'utf8')
  const [, uid, gid] =
    /^agent-platform:.*?:(\d+):(\d+):/m.exec(users) ?? /^nobody:.*?:(-?\d+):(-?\d+):/m.exec(users) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** How a process of that account is started: nothing of this process' environment but PATH goes along. */
export const processOptions = (account: Account | undefined) => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
})

/** Whether that account reaches the folder, through all the folders above it. */
export const canEnter = (account: Account, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], processOptions(account)).status === 0

/** Runs a program as that account to its end, and throws what it says of its failure. */
export function run(account: Account | undefined, program: string, args: readonly string[], input = '') {
  const options = { ...processOptions(account), input, encoding: 'utf8' } as const
  const { status, stderr, error } = spawnSync(program, args, options)
  if (status !== 0) throw new Error(error?.message ?? faultIn(stderr))
}

/** What PostgreSQL's programs say of a failure, in one line. */
export const faultIn = (output: string): string =>
  /(?:error|FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''

/**
 * Makes a folder, known by a file in it, beside its place and renames it when it is whole, so that neither
 * kill -9 nor another process that does the same leaves half of one.
 */
export function makeWhole(folder: string, file: string, make: (aside: string) => void): void {
  const isMade = () => existsSync(path.join(folder, file))
  if (isMade()) return
  const aside = mkdtempSync(`${folder}.`)
  try {
    make(aside)
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!isMade()) throw error
  }
}
