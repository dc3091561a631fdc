import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('../guest/', import.meta.url))

/** What that is made of, without types, by name; the names are without an ending. */
export async function guestModules(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(SOURCE)).filter((name) => name.endsWith('.ts'))
  const texts = names.map(async (name) => [
    name.slice(0, -'.ts'.length),
    withoutTypes(await readFile(join(SOURCE, name), 'utf8'))
  ])
  return Object.fromEntries(await Promise.all(texts))
}

/**
 * The folder with the program that listens in a computer, without its types: what takes them away needs more memory than the program,
 * and would be there in every computer. Made once for each version.
 */
export async function prepareGuest(folder: string): Promise<string> {
  const names = (await readdir(SOURCE)).filter((name) => name.endsWith('.ts')).sort()
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(SOURCE, name), 'utf8')] as const)
  )
  const digest = createHash('sha256')
    .update(JSON.stringify([process.version, files]))
    .digest('hex')
  const place = join(folder, `guest-${digest.slice(0, 32)}`)
  if (await stat(place).catch(() => undefined)) return place
  const aside = `${place}.${randomBytes(6).toString('hex')}`
  await mkdir(aside, { recursive: true, mode: 0o755 })
  for (const [name, text] of files) {
    const program = withoutTypes(text).replace(/( from '\.\/[a-z-]+)\.ts'/g, "$1.mjs'")
    await writeFile(join(aside, name.replace(/\.ts$/, '.mjs')), program, { mode: 0o644 })
  }
  await rename(aside, place).catch(async (error) => {
    // Another process made it meanwhile.
    await rm(aside, { recursive: true, force: true })
    if (!(await stat(place).catch(() => undefined))) throw error
  })
  return place
}

/** Node.js says each time that this is an experiment, which is no news to whoever starts the platform. */
function withoutTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
