import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoadFault } from '../faults.ts'

/**
 * Whether a path in a pack belongs to no version: the sources of its console pages, its tests and what they use (`test/`),
 * Markdown, hidden files and packages. A changed test therefore is no new version.
 *
 * @param path relative to the folder of the pack
 */
export const isLeftOut = (path: string): boolean =>
  /^(web|test)([/\\]|$)/.test(path) ||
  path.split(/[/\\]/).some((part) => part.startsWith('.') || part === 'node_modules') ||
  /\.(test\.ts|md)$/.test(path)

/**
 * Of a pack's files: first 16 hex digits of SHA-256 over the sorted relative paths and the contents. Read at once, as a pack is
 * some dozens of small files: through the pool of threads they take four times the CPU time.
 */
export function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const path of [...filesIn(folder, '')].sort()) {
    const content = readFileSync(join(folder, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

function* filesIn(folder: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below + entry.name
    if (isLeftOut(path)) continue
    if (entry.isDirectory()) yield* filesIn(folder, `${path}/`)
    else if (entry.isFile()) yield path
    // A link would let an old version see what is new.
    else throw new LoadFault(`${path} is neither a file nor a folder`)
  }
}
