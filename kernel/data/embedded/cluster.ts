import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Account } from './account.ts'
import { run } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Folder } from './folder.ts'
import { hasCluster } from './folder.ts'

/** Name of the platform's role and of its database. */
export const platform = 'platform'

// Not a superuser: a statement that an attacker got in must not reach files and programs of the machine.
const firstStatements = `create role ${platform} login createdb\ncreate database ${platform} owner ${platform}\n`

/**
 * Makes the data where there are none: in a folder beside, renamed when it is whole, so that neither kill -9
 * nor a second process leaves half of one. Throws when they are of another major version.
 */
export async function ensureCluster(folder: Folder, binaries: Binaries, sync: boolean): Promise<void> {
  const { where, account } = folder
  if (!hasCluster(where)) {
    sweep(where)
    const aside = `${where}.init-${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      await create(aside, account, binaries, sync)
      adoptName(aside, where)
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  }
  const major = readFileSync(path.join(where, 'PG_VERSION'), 'utf8').trim()
  if (Number(major) !== binaries.major)
    throw new Error(
      `The data folder ${where} was made by PostgreSQL ${major}, the embedded one is ${binaries.major}: ` +
        `move the data by pg_dump, or set DATABASE_URL to a server of version ${major}`
    )
}

async function create(
  aside: string,
  account: Account | undefined,
  { initdb, postgres }: Binaries,
  sync: boolean
) {
  mkdirSync(aside, { mode: 0o700 })
  if (account) chownSync(aside, account.uid, account.gid)
  const access = ['-U', 'postgres', '--auth-local=trust', '--auth-host=reject']
  const form = ['-E', 'UTF8', '--locale=C', '--no-instructions', ...(sync ? [] : ['--no-sync'])]
  const made = await run(account, initdb, ['-D', aside, ...access, ...form])
  if (made.code !== 0) throw new Error(`PostgreSQL could not make its data: ${reasonOf(made.stderr)}`)
  const single = ['--single', '-D', aside, '-c', 'log_min_messages=error', 'postgres']
  const filled = await run(account, postgres, single, firstStatements)
  if (filled.code !== 0 || /ERROR|FATAL|PANIC/.test(filled.stderr))
    throw new Error(`PostgreSQL could not make the platform's database: ${reasonOf(filled.stderr)}`)
}

/** A rename onto a folder that is not empty fails: another process was faster. */
function adoptName(aside: string, where: string) {
  try {
    renameSync(aside, where)
  } catch (error) {
    if (!hasCluster(where)) throw error
  }
}

/** Takes away what processes that were killed left behind. */
function sweep(where: string) {
  const prefix = `${path.basename(where)}.init-`
  for (const name of readdirSync(path.dirname(where))) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (pid > 0 && !exists(pid))
      rmSync(path.join(path.dirname(where), name), { recursive: true, force: true })
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const reasonOf = (output: string): string =>
  (/(?:error|FATAL|ERROR|PANIC): +(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? '').trim()
