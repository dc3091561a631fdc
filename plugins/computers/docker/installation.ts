import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names the platform that the homes in that folder are of, on whichever instance: made once, and kept with them. */
export function createInstallation(folder: string): () => Promise<string> {
  let known: Promise<string> | undefined
  const find = async () => {
    const file = join(folder, 'installation')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }
    )
    const id = (await readFile(file, 'utf8')).trim()
    // Another instance makes it just now.
    if (!/^[0-9a-f]{32}$/.test(id)) throw new Error(`${file} does not name an installation`)
    return id
  }
  return () => {
    known ??= find()
    known.catch(() => {
      known = undefined
    })
    return known
  }
}
