import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LoadFault } from './fault.ts'

const maxFiles = 2_000
const maxBytes = 64 * 1024 * 1024

/** All files of a pack as they were read: what was hashed is what is copied. */
export interface Snapshot {
  /** First 16 hex digits of SHA-256 over the sorted relative paths and the contents. */
  readonly digest: string
  /** By path relative to the pack's folder, with slashes. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** Files that are for the pack's authors: they belong to no version. */
export const isLeftOut = (path: string): boolean =>
  path.split(/[/\\]/).some((part) => part.startsWith('.') || part === 'node_modules') ||
  /\.(test\.ts|bench\.ts|md)$/.test(path)

/**
 * Reads a pack. Links are followed within its folder; a LoadFault where one leaves it, where something is
 * neither a file nor a folder, and above 2,000 files or 64 MiB.
 */
export async function readSnapshot(folder: string): Promise<Snapshot> {
  const root = await realpath(folder)
  const paths = await within(filesIn(root, '', [root]))
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths.sort()) {
    bytes += (await stat(join(root, path))).size
    if (bytes > maxBytes) throw new LoadFault('import', 'more than 64 MiB of files')
    files.set(path, await readFile(join(root, path)))
  }
  return { digest: digestOf(files), files }
}

async function within(found: AsyncIterable<string>): Promise<string[]> {
  const paths: string[] = []
  for await (const path of found)
    if (paths.push(path) > maxFiles) throw new LoadFault('import', 'more than 2,000 files')
  return paths
}

async function* filesIn(root: string, folder: string, above: readonly string[]): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (isLeftOut(path)) continue
    const target = entry.isSymbolicLink() ? await followed(root, path) : join(above[0] as string, entry.name)
    const kind = entry.isSymbolicLink() ? await stat(target) : entry
    if (kind.isFile()) yield path
    else if (!kind.isDirectory()) throw new LoadFault('import', `${path} is neither a file nor a folder`)
    else if (above.includes(target))
      throw new LoadFault('import', `the link ${path} leads to a folder around it`)
    else yield* filesIn(root, path, [target, ...above])
  }
}

async function followed(root: string, path: string): Promise<string> {
  const target = await realpath(join(root, path)).catch(() => undefined)
  if (target === undefined) throw new LoadFault('import', `the link ${path} leads nowhere`)
  if (target === root || target.startsWith(root + sep)) return target
  throw new LoadFault('import', `the link ${path} leaves the pack's folder`)
}

function digestOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [path, content] of files) hash.update(`${path}\0${content.length}\0`).update(content)
  return hash.digest('hex').slice(0, 16)
}
