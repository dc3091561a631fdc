import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folder } from './folder.ts'
import { faultIn, processOptions } from './folder.ts'

/** The socket lies in the data folder, which every process sees that sees the data, and which is private. */
export const addressOf = (where: string) => ({ host: where, port: 5432 })

/** The server that runs on the folder, as its lock file says; `isReady` while it neither starts nor stops. */
export function findServer(where: string): { pid: number; isReady: boolean } | undefined {
  const [pid, , , , , , , status] = lockOf(where)
  return isServer(Number(pid), where) ? { pid: Number(pid), isReady: status?.trim() === 'ready' } : undefined
}

const lockFile = (where: string): string => path.join(where, 'postmaster.pid')

function lockOf(where: string): string[] {
  try {
    return readFileSync(lockFile(where), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Whether that process is a server on that folder: neither a zombie nor another one that got the same pid. */
export function isServer(pid: number, where: string): boolean {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(where)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === where
  } catch {
    return false
  }
}

/** A server process of ours. */
export type Launched = ReturnType<typeof launch>

/** Starts a server that outlives this process. Its messages go to `server.log` in the data folder. */
export function launch({ where, account }: Folder, bin: string, settings: Readonly<Record<string, string>>) {
  removeDeadLock(where)
  const log = path.join(where, 'server.log')
  const start = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // The server's own user opens the log, since root must not follow a link that this user may have put there.
  const command = 'umask 077; log=$1; shift; exec "$@" >>"$log" 2>&1'
  const child = spawn(
    '/bin/sh',
    ['-c', command, 'sh', log, path.join(bin, 'postgres'), '-D', where, ...args],
    {
      ...processOptions(account),
      stdio: 'ignore',
      detached: true
    }
  )
  child.on('error', () => undefined)
  child.unref()
  return {
    child,
    hasEnded: () => !child.pid || child.exitCode !== null || child.signalCode !== null,
    /** What its log says of its end. */
    fault: () => faultIn(readFileSync(log).subarray(start).toString())
  }
}

/** PostgreSQL does so itself, but not while the pid of the dead server is a zombie's or another process'. */
function removeDeadLock(where: string) {
  const [pid] = lockOf(where)
  if (!pid || isServer(Number(pid), where)) return
  for (const file of [lockFile(where), path.join(where, `.s.PGSQL.${addressOf(where).port}.lock`)])
    rmSync(file, { force: true })
}

/** Makes the server end its sessions and stop, and waits until it has, a minute at most. */
export async function stopServer(where: string): Promise<void> {
  const server = findServer(where)
  if (!server) return
  process.kill(server.pid, 'SIGINT')
  for (const end = Date.now() + 60_000; isServer(server.pid, where) && Date.now() < end; ) await sleep(10)
}
