import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a new embedded database takes, and a little to write into. */
const NEEDED_BYTES = 100_000_000
const PROBE_BYTES = 65_536

/**
 * The same as a recursive `mkdir`, which never returns where a file system takes no folders at all (`/proc`): its
 * ENOENT is the same as that of a missing folder above.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    // What lies above is no folder, or cannot be entered: making it tells.
    return false
  }
}

/**
 * Makes DATA_DIR where it is missing. Throws an error of one line for the operator where it cannot be written, or
 * is too small for a database that is still to be made.
 */
export function openDataDir(dataDir: string, hasDatabase: boolean): void {
  try {
    makeFolder(dataDir)
    const probe = mkdtempSync(join(dataDir, '.probe-'))
    try {
      writeFileSync(join(probe, 'probe'), Buffer.alloc(PROBE_BYTES))
    } finally {
      rmSync(probe, { recursive: true, force: true })
    }
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} ${faultOf(dataDir, error as NodeJS.ErrnoException)}`)
  }
  if (!hasDatabase) return
  const database = join(dataDir, 'postgres')
  const owner = statSync(database, { throwIfNoEntry: false })?.uid
  const user = process.getuid?.()
  if (owner !== undefined && user !== undefined && user !== 0 && owner !== user)
    throw new Error(
      `DATA_DIR ${dataDir} belongs to the user with the number ${owner}, and this process runs as ${user}: ` +
        'start it as that user, or set DATA_DIR to another folder'
    )
  const { bavail, bsize } = statfsSync(dataDir)
  if (owner === undefined && bavail * bsize < NEEDED_BYTES)
    throw new Error(
      `DATA_DIR ${dataDir} has ${mb(bavail * bsize)} MB left, and a new database takes ${mb(NEEDED_BYTES)} MB: ` +
        'make room, or set DATA_DIR to a folder elsewhere'
    )
}

const mb = (bytes: number): number => Math.floor(bytes / 1_000_000)

const faults: Readonly<Record<string, string>> = {
  EEXIST: 'is not a folder, or lies below something that is none: set DATA_DIR to a folder',
  ENOTDIR: 'is not a folder, or lies below something that is none: set DATA_DIR to a folder',
  ENOENT: 'cannot be made there: set DATA_DIR to a folder on a disk',
  EROFS: 'lies where nothing can be written: set DATA_DIR to a folder on another file system',
  ENOSPC: 'lies on a disk that is full: make room, or set DATA_DIR to a folder elsewhere',
  EDQUOT:
    'lies on a disk of which this user may use no more: make room, or set DATA_DIR to a folder elsewhere'
}

function faultOf(dataDir: string, { code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES' || code === 'EPERM') {
    const user = process.getuid?.()
    return `cannot be written by the user of this process${user === undefined ? '' : ` (number ${user})`}: set DATA_DIR to a folder of its own`
  }
  return faults[code] ?? `cannot be used: ${message.replace(`, '${dataDir}'`, '')}`
}
