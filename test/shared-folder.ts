import { chmodSync, existsSync, lstatSync, mkdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux has a folder in memory for all users; a container may have given it next to no room. */
const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
const ENOUGH = 3 * 2 ** 30

/**
 * Where databases of tests lie. Each is hundreds of small files that live for seconds, and a file system on a disk
 * does not give the place of a deleted file away at once: it takes ten times the CPU time that memory takes. A
 * `TMPDIR` that is set is where they lie all the same.
 */
export function quickFolder(): string {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return tmpdir()
  const { type, bavail, bsize } = statfsSync(MEMORY)
  return type === TMPFS && (bavail * bsize > ENOUGH || existsSync(shared(MEMORY))) ? MEMORY : tmpdir()
}

const uid = process.getuid?.() ?? 0
const shared = (base: string) => join(base, `agent-platform-test-${uid}`)

/** A folder that all test processes of this user share, and that stays for the next run. */
export function sharedFolder(name: string): string {
  const folder = shared(quickFolder())
  mkdirSync(folder, { recursive: true })
  if (lstatSync(folder).uid !== uid) throw new Error(`${folder} belongs to another user`)
  // Root's database server runs as another user, which must get through.
  chmodSync(folder, 0o755)
  const place = join(folder, name)
  mkdirSync(place, { recursive: true })
  return place
}

/** What a process that a test starts is given in any case; nothing else of this environment reaches it. */
export function childEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE = '1' } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE }) }
}
