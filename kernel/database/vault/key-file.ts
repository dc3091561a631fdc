import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const KEY_LENGTH = 32
const access = { flag: 'wx', mode: 0o600, flush: true }
/** Marks what a rotation was about to put in the place of the file. */
const DRAFT = '.rotation-'

/** Where the master keys of a development platform lie. */
export const keyFileOf = (dataDir: string): string => join(dataDir, 'secret-key')

export const newKeyText = (): string => randomBytes(KEY_LENGTH).toString('base64')

/**
 * Makes the file with one key in it, where there is none: written whole beside its place and then linked into
 * it, so that no process ever sees half a key, and of several processes that start at the same time one wins.
 */
export async function makeKeyFile(file: string): Promise<void> {
  if (existsSync(file)) return
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${newKeyText()}\n`, access)
    await link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
}

/** The file's content. Throws an error for the operator where others than its owner can read it. */
export function readKeyFile(file: string): string {
  if (process.platform !== 'win32' && statSync(file).mode & 0o077)
    throw new Error(`${file} can be read by others than its owner: chmod 600 it`)
  return readFileSync(file, 'utf8')
}

/**
 * Puts those keys into the place of the file at one stroke. For one process at a time: `confirm` rejects when
 * the caller is no longer the one, and the file is left as it is. What a killed one left behind is removed.
 */
export async function replaceKeyFile(file: string, keys: readonly string[], confirm: () => Promise<unknown>) {
  const folder = dirname(file)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(file)}${DRAFT}`)) await rm(join(folder, name), { force: true })
  const draft = `${file}${DRAFT}${randomUUID()}`
  try {
    await writeFile(draft, `${keys.join(',')}\n`, access)
    await confirm()
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  await flushFolder(folder)
}

/** A rename is on the disk when its folder is. Windows cannot open folders. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
