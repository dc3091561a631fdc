import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync
} from 'node:fs'
import path from 'node:path'
import type { Account } from './account.ts'
import { canEnter, isRoot, serviceAccount } from './account.ts'

export interface Folder {
  /** The real path of the data: `dataDir` itself, or what it links to. */
  readonly where: string
  /** Undefined: the server runs as the user of this process. */
  readonly account: Account | undefined
  /** A folder for whatever else the server needs. */
  readonly spare: string
  /** The link was missing, but the data behind it was there. */
  readonly found: boolean
}

const service = '/var/lib/agent-platform'

export const hasCluster = (where: string): boolean => existsSync(path.join(where, 'PG_VERSION'))

/**
 * Decides where the data lie and who the server runs as. Root runs it as the owner of the data; new data that
 * this account could not reach below `dataDir` go to `/var/lib/agent-platform/<digest>`, linked from there.
 * Throws one line where the folder cannot be used.
 */
export async function openFolder(dataDir: string): Promise<Folder> {
  const asked = path.resolve(dataDir)
  try {
    const folder = await place(asked)
    check(folder)
    return folder
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = /^(EACCES|EPERM|EROFS)$/.test(code ?? '') ? `it is not writable (${code})` : message
    throw new Error(`The data folder ${asked} cannot be used: ${reason}`, { cause })
  }
}

async function place(asked: string): Promise<Folder> {
  mkdirSync(path.dirname(asked), { recursive: true })
  const where = follow(asked)
  mkdirSync(path.dirname(where), { recursive: true })
  if (!isRoot()) return { where, account: undefined, spare: path.dirname(where), found: false }
  const account = ownerOf(where) ?? serviceAccount()
  if (await canEnter(account, path.dirname(where))) return { where, account, spare: service, found: false }
  if (hasCluster(where)) throw new Error(`user ${account.uid}, who owns it, cannot reach it`)
  checkEmpty(where)
  const away = path.join(service, digest(where))
  mkdirSync(service, { recursive: true })
  chmodSync(service, 0o755)
  return { where: away, account, spare: service, found: link(where, away) && hasCluster(away) }
}

/** The real path, also of what is not there yet. */
function follow(asked: string): string {
  const here = path.join(realpathSync(path.dirname(asked)), path.basename(asked))
  if (existsSync(here)) return realpathSync(here)
  const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink()
  return isLink ? path.resolve(path.dirname(here), readlinkSync(here)) : here
}

function ownerOf(where: string): Account | undefined {
  const { uid, gid } = hasCluster(where) ? statSync(where) : { uid: 0, gid: 0 }
  return uid === 0 ? undefined : { uid, gid }
}

/** Links `from` to `to`; an empty folder gives way. False when another process was faster. */
function link(from: string, to: string): boolean {
  try {
    if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(from)
    symlinkSync(to, from)
    return true
  } catch (error) {
    if (lstatSync(from, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(from) === to)
      return false
    throw error
  }
}

function check({ where, account }: Folder) {
  const stat = statSync(where, { throwIfNoEntry: false })
  if (!stat) return accessSync(path.dirname(where), constants.W_OK)
  if (!stat.isDirectory()) throw new Error('it is not a folder')
  const user = account?.uid ?? process.getuid?.()
  if (hasCluster(where) && stat.uid !== user)
    throw new Error(`it belongs to user ${stat.uid}, but PostgreSQL runs as user ${user}`)
  accessSync(where, constants.W_OK)
  if (!hasCluster(where)) checkEmpty(where)
}

function checkEmpty(where: string) {
  if (existsSync(where) && readdirSync(where).length > 0)
    throw new Error('it is not empty and holds no PostgreSQL data')
}

/**
 * The private folder of the server's socket: the data folder, which every process sees that sees the data,
 * or one under /tmp where a socket's path would be too long in it (104 bytes on macOS).
 */
export function socketFolder({ where, account }: Folder, port: number): string {
  if (Buffer.byteLength(path.join(where, `.s.PGSQL.${port}`)) < 104) return where
  const folder = `/tmp/agent-platform-${digest(where)}`
  try {
    mkdirSync(folder, { mode: 0o700 })
    if (account) chownSync(folder, account.uid, account.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stat = lstatSync(folder)
  const isMine = stat.uid === (account?.uid ?? process.getuid?.()) && (stat.mode & 0o077) === 0
  if (!stat.isDirectory() || !isMine) throw new Error(`The socket folder ${folder} belongs to someone else`)
  return folder
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
