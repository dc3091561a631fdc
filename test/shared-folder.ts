import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that all test processes of this user share, and that stays for the next run. */
export function sharedFolder(name: string): string {
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `agent-platform-test-${uid}`)
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
