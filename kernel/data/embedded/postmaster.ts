import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processOptions } from './account.ts'
import type { Folder } from './folder.ts'

/** What a server says of itself in `postmaster.pid`. */
export interface Lock {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** A server process of ours; `failure` is undefined while it runs. */
export interface Launched {
  readonly pid: number | undefined
  readonly failure: string | undefined
}

export function readLock(where: string): Lock | undefined {
  const text = read(path.join(where, 'postmaster.pid'))
  const [pid, , , port, socketFolder, , , status] = text?.split('\n') ?? []
  if (!Number(pid)) return undefined
  const word = status?.trim()
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder ?? '',
    status: word === 'ready' || word === 'stopping' ? word : 'starting'
  }
}

/** Whether that process is a server on that folder: neither a zombie nor another one that got the same pid. */
export function isServer(pid: number, where: string): boolean {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'state=,command=', '-p', String(pid)], { encoding: 'utf8' })
    return !stdout.trimStart().startsWith('Z') && stdout.includes(where)
  }
  const stat = read(`/proc/${pid}/stat`)
  if (stat === undefined || 'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))) return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === where
  } catch {
    return false
  }
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Starts a server that outlives this process. Its messages go to `server.log` in the data folder. */
export function launch(
  { where, account }: Folder,
  postgres: string,
  settings: Readonly<Record<string, string>>
): Launched {
  const log = openLog(where, account)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const stdio = ['ignore', log.descriptor, log.descriptor] as const
  const child = spawn(postgres, ['-D', where, ...args], {
    ...processOptions(account),
    stdio: [...stdio],
    detached: true
  })
  closeSync(log.descriptor)
  child.unref()
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', (code, signal) => {
    const stopped = code === 0 || signal === 'SIGKILL'
    failure = stopped
      ? 'it was stopped'
      : (lastFault(log) ?? `it ended with ${signal ?? `exit code ${code}`}`)
  })
  return {
    pid: child.pid,
    get failure() {
      return failure
    }
  }
}

function lastFault({ file, start }: { file: string; start: number }): string | undefined {
  try {
    const said = readFileSync(file, { flag: constants.O_RDONLY | constants.O_NOFOLLOW }).subarray(start)
    return said
      .toString()
      .match(/(?<=FATAL: +)\S.*/g)
      ?.at(-1)
  } catch {
    return undefined
  }
}

function openLog(where: string, account: Folder['account']) {
  const file = path.join(where, 'server.log')
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  // The folder belongs to the account, so root must not follow a link that it could have put there.
  const descriptor = openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
  if (account) fchownSync(descriptor, account.uid, account.gid)
  if (fstatSync(descriptor).size > 1024 * 1024) ftruncateSync(descriptor)
  return { file, descriptor, start: fstatSync(descriptor).size }
}

/**
 * Takes away the lock files of a server that is dead. PostgreSQL does so itself, but not while its pid belongs
 * to a zombie or to another process.
 */
export function removeLocks(where: string, { pid, port, socketFolder }: Lock) {
  const locks = [path.join(where, 'postmaster.pid'), path.join(socketFolder, `.s.PGSQL.${port}.lock`)]
  for (const file of locks) {
    const aside = `${file}.${randomUUID()}`
    try {
      renameSync(file, aside)
      // Meanwhile another process may have started a server: its lock is put back.
      if (!read(aside)?.startsWith(`${pid}\n`)) linkSync(aside, file)
    } catch {
      // It is gone already, or a still newer one is there.
    }
    rmSync(aside, { force: true })
  }
}

/** Asks a server to end its sessions and stop, and waits until it has. False after a minute. */
export function stopServer(pid: number, where: string): Promise<boolean> {
  if (isServer(pid, where)) process.kill(pid, 'SIGINT')
  return ended(pid, where)
}

/** Waits until a server that stops has ended. False after a minute. */
export async function ended(pid: number, where: string): Promise<boolean> {
  for (const end = Date.now() + 60_000; isServer(pid, where); await sleep(10))
    if (Date.now() > end) return false
  return true
}
