import { randomUUID } from 'node:crypto'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile
} from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { digestOf, isLeftOut } from './digest.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Copies of packs, one folder `<name>@<digest>` a version, which never changes once it is there. */
export function createVersions(folder: string) {
  if (resolve(folder).split(sep).includes('node_modules'))
    throw new Error(
      `Node runs no TypeScript below node_modules. Set DATA_DIR to another folder than ${folder}`
    )
  let place: Promise<string> | undefined

  async function prepare(): Promise<string> {
    await mkdir(folder, { recursive: true })
    const root = await realpath(folder)
    // Packs are ES modules, whatever package the data folder happens to lie in.
    const manifest = join(root, 'package.json')
    await writeFile(manifest, '{ "type": "module" }\n', { flag: 'wx' }).catch(unless('EEXIST'))
    return root
  }
  const prepared = () => (place ??= prepare())

  /** The copy that was made of a version before. */
  async function find(name: string, digest: string, origin: string) {
    const version = join(await prepared(), `${name}@${digest}`)
    if (!(await touch(version).then(() => true, unless('ENOENT')))) return undefined
    await noteOrigin(version, origin)
    return { digest, folder: version }
  }

  /** Copies what lies there now, at one stroke. */
  async function copy(name: string, origin: string) {
    const root = await prepared()
    const draft = await mkdtemp(join(root, '.copy-'))
    try {
      const from = await realpath(origin)
      await cp(from, draft, { recursive: true, filter: (path) => !isLeftOut(relative(from, path)) })
      const digest = digestOf(draft)
      await noteOrigin(draft, origin)
      const version = join(root, `${name}@${digest}`)
      await rename(draft, version).catch(unless('ENOTEMPTY', 'EEXIST'))
      return { digest, folder: version }
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }

  /** Removes what is not in use, here or in a process that swept lately, and was not touched for 7 days. */
  async function sweep(inUse: ReadonlySet<string>): Promise<readonly string[]> {
    const root = await prepared()
    const removed: string[] = []
    for (const name of await readdir(root)) {
      const path = join(root, name)
      const isOurs = /^([a-z][a-z0-9-]*@[0-9a-f]{16}$|\.(copy|gone)-)/.test(name)
      if (inUse.has(path)) await touch(path)
      else if (isOurs && Date.now() - (await stat(path)).mtimeMs > KEPT_MS) {
        // Away at one stroke, so that no process ever loads a half of it.
        const gone = join(root, `.gone-${name}`)
        await rename(path, gone)
        await rm(gone, { recursive: true })
        removed.push(path)
      }
    }
    return removed
  }

  return { find, copy, sweep }
}

/** Notes where npm packages are to be looked for; the original folder may have moved, or be gone, since. */
async function noteOrigin(version: string, origin: string): Promise<void> {
  const folder = await realpath(origin).catch(unless('ENOENT'))
  if (folder === undefined) return
  const note = pathToFileURL(join(folder, 'pack.ts')).href
  if ((await readFile(join(version, '.origin'), 'utf8').catch(unless('ENOENT'))) === note) return
  // Other processes note it too, and so may another platform in this one.
  const draft = join(version, `.origin-${randomUUID()}`)
  await writeFile(draft, note)
  await rename(draft, join(version, '.origin'))
}

function touch(path: string): Promise<void> {
  const now = new Date()
  return utimes(path, now, now)
}

const unless =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error
  }
