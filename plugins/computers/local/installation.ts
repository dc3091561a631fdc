import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names the platform that the homes in that folder are of, on whichever instance: made once, and kept with them. */
export function createInstallation(folder: string) {
  const file = join(folder, 'installation')

  /** Undefined before the first computer of that kind. */
  async function find(): Promise<string | undefined> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (text === undefined) return undefined
    // Another instance may be writing it.
    if (!/^[0-9a-f]{32}$/.test(text)) throw new Error(`${file} does not name an installation`)
    return text
  }

  async function take(): Promise<string> {
    const known = await find()
    if (known !== undefined) return known
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const options = { flag: 'wx', mode: 0o600 } as const
    await writeFile(file, randomBytes(16).toString('hex'), options).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return (await find()) as string
  }

  return { find, take }
}
