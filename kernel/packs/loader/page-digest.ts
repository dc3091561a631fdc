import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Also imported by the build of the console, which is without the rest of the kernel in places: nothing but Node here.

/** Of a pack's folder of pages, `web/`, as the build of the console notes it for each pack; null where there is none. */
export async function pageDigest(folder: string): Promise<string | null> {
  const web = join(folder, 'web')
  const entries = await readdir(web, { recursive: true, withFileTypes: true }).catch(unlessMissing)
  const files = entries.filter((it) => it.isFile() && !it.name.startsWith('.'))
  if (files.length === 0) return null
  const hash = createHash('sha256')
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(web.length + 1))
  for (const path of paths.sort()) {
    const content = await readFile(join(web, path))
    hash.update(`${path.replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

function unlessMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}
