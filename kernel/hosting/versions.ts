import {
  access,
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
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Snapshot } from './snapshot.ts'
import { readSnapshot } from './snapshot.ts'

const keepFor = 7 * 24 * 60 * 60 * 1000

export interface Version {
  readonly digest: string
  /** The copied folder. */
  readonly folder: string
}

/** Copies of packs, one folder `<name>@<digest>` a version, which never changes once it is there. */
export interface Versions {
  /** A version that was copied before; undefined where there is none that is whole. */
  find(name: string, digest: string, origin: string): Promise<Version | undefined>
  /** Copies a version at one stroke, unless it is there. */
  copy(name: string, snapshot: Snapshot, origin: string): Promise<Version>
  /** Removes what is not in use, here or in a process that swept lately, and was not touched for 7 days. */
  sweep(inUse: ReadonlySet<string>): Promise<readonly string[]>
}

/** `folder` may lie anywhere, except below a `node_modules`, where Node runs no TypeScript. */
export function createVersions(folder: string): Versions {
  const whole = new Set<string>()
  let place: Promise<string> | undefined
  refuseNodeModules(folder)

  async function prepared(): Promise<string> {
    place ??= prepare(folder)
    place.catch(() => {
      place = undefined
    })
    return place
  }

  async function find(name: string, digest: string, origin: string) {
    const version = join(await prepared(), `${name}@${digest}`)
    if (!(await touch(version))) return undefined
    if (!whole.has(version)) {
      // A power cut may leave a copy with empty files behind.
      if ((await readSnapshot(version)).digest !== digest) {
        await discard(version)
        return undefined
      }
      whole.add(version)
    }
    await follow(version, origin)
    return { digest, folder: version }
  }

  async function copy(name: string, { digest, files }: Snapshot, origin: string) {
    const there = await find(name, digest, origin)
    if (there !== undefined) return there
    const version = join(await prepared(), `${name}@${digest}`)
    const draft = await mkdtemp(join(dirname(version), '.copy-'))
    try {
      for (const [path, content] of files) {
        await mkdir(dirname(join(draft, path)), { recursive: true })
        await writeFile(join(draft, path), content)
      }
      await writeOrigin(draft, origin)
      await rename(draft, version)
      whole.add(version)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error
    }
    return { digest, folder: version }
  }

  async function sweep(inUse: ReadonlySet<string>) {
    const root = await prepared()
    const removed: string[] = []
    for (const name of await readdir(root)) {
      const version = join(root, name)
      if (inUse.has(version)) await touch(version)
      else if (isOurs(name) && (await isOld(version))) {
        await discard(version)
        removed.push(version)
      }
    }
    return removed
  }

  return { find, copy, sweep }
}

async function prepare(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  refuseNodeModules(root)
  // Packs are ES modules, whatever package the data folder happens to lie in.
  await writeFile(join(root, 'package.json'), '{ "type": "module" }\n', { flag: 'wx' }).catch((error) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  return root
}

function refuseNodeModules(folder: string) {
  if (!resolve(folder).split(sep).includes('node_modules')) return
  throw new Error(
    `Packs cannot be run from ${folder}: Node runs no TypeScript below node_modules. Set DATA_DIR to another folder`
  )
}

/** Notes where npm packages are to be looked for; a copy outlives a move of the original folder. */
async function follow(version: string, origin: string) {
  const noted = await readFile(join(version, '.origin'), 'utf8').catch(() => undefined)
  if (noted !== undefined && (await exists(fileURLToPath(noted)))) return
  if (noted === undefined || (await exists(origin))) await writeOrigin(version, origin)
}

async function writeOrigin(version: string, origin: string) {
  const draft = join(await mkdtemp(join(dirname(version), '.copy-')), 'origin')
  await writeFile(draft, pathToFileURL(join(await realpath(origin), 'pack.ts')).href)
  await rename(draft, join(version, '.origin'))
  await rm(dirname(draft), { recursive: true })
}

/** Away at one stroke, so that nobody sees a half of it. */
async function discard(version: string) {
  const gone = await mkdtemp(join(dirname(version), '.gone-'))
  await rename(version, join(gone, 'version')).catch((error) => {
    if (!isCode(error, 'ENOENT')) throw error
  })
  await rm(gone, { recursive: true, force: true })
}

async function touch(version: string): Promise<boolean> {
  const now = new Date()
  try {
    await utimes(version, now, now)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

const isOurs = (name: string) => /^([a-z][a-z0-9-]*@[0-9a-f]{16}$|\.(copy|gone)-)/.test(name)

const isOld = async (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > keepFor,
    () => false
  )

const exists = async (path: string) =>
  access(path).then(
    () => true,
    () => false
  )

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
