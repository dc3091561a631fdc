import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { LoadFault } from './fault.ts'
import { importFile } from './imports.ts'
import type { Manifest } from './manifest.ts'
import { checkManifest } from './manifest.ts'
import type { Migration } from './migrations.ts'
import { readMigrations } from './migrations.ts'
import { readSnapshot } from './snapshot.ts'
import { createVersions } from './versions.ts'
import { watchPacks } from './watcher.ts'

/** A pack that lies in one of the folders, not loaded yet. */
export interface Found {
  readonly name: string
  readonly digest: string
  /** The original folder. */
  readonly folder: string
}

/** One version of a pack, whose files never change. */
export interface Loaded extends Found {
  /** The copied folder, from which everything of this version comes. */
  readonly version: string
  readonly manifest: Manifest
  /** By name, each imported from the copied folder when it is first run. */
  readonly migrations: readonly Migration[]
}

export interface Loader {
  /** All packs in the folders by name, or why there is none of that name. */
  scan(): Promise<ReadonlyMap<string, Found | LoadFault>>
  /**
   * Imports a version; throws a LoadFault. The same digest gives the same modules, also when the original
   * folder has gone on since. A digest that was never copied is gone by then: what lies there now is loaded,
   * and the reply carries its digest.
   */
  load(found: Found): Promise<Loaded>
  /** Names of packs whose files changed, for development. */
  watch(hear: (name: string) => void): Disposable
  /** Removes copies that are not among the `version`s in use and were not touched for 7 days; returns them. */
  sweep(inUse: ReadonlySet<string>): Promise<readonly string[]>
}

/** What was found, loaded; throws why there is nothing to load. */
export async function loadFound(
  loader: Pick<Loader, 'load'>,
  found: Found | LoadFault | undefined
): Promise<Loaded> {
  if (!found) throw new LoadFault('import', 'no such pack in the folders of this instance')
  if (found instanceof LoadFault) throw found
  return loader.load(found)
}

interface Options {
  /** Folders with one subfolder a pack. */
  readonly folders: readonly string[]
  /** Where versions are copied to; not below a `node_modules`. */
  readonly versions: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds after which an import that does not settle is a fault. */
  readonly importTimeout?: number
}

/** Finds packs and loads them from copies, so that an old version never sees new files. */
export function createLoader({ folders, versions: place, log, importTimeout = 10_000 }: Options): Loader {
  const versions = createVersions(place)
  const roots = [...new Set(folders.map((folder) => resolve(folder)))]

  async function scan() {
    const packs = (await Promise.all(roots.map((root) => packsIn(root, log)))).flat()
    const found = await Promise.all(packs.map(({ name, folder }) => findPack(name, folder)))
    const result = new Map<string, Found | LoadFault>()
    for (const [index, { name }] of packs.entries()) {
      const places = packs.filter((pack) => pack.name === name).map(({ folder }) => basename(dirname(folder)))
      result.set(name, places.length > 1 ? twice(places) : (found[index] as Found | LoadFault))
    }
    return result
  }

  async function load({ name, digest, folder }: Found): Promise<Loaded> {
    try {
      const version =
        (await versions.find(name, digest, folder)) ??
        (await versions.copy(name, await readSnapshot(folder), folder))
      const { default: pack } = await importFile(version.folder, 'pack.ts', importTimeout)
      const manifest = checkManifest(pack, name)
      const migrations = await readMigrations(version.folder)
      return { name, digest: version.digest, folder, version: version.folder, manifest, migrations }
    } catch (error) {
      throw asFault(error)
    }
  }

  return { scan, load, watch: (hear) => watchPacks(roots, hear, log), sweep: versions.sweep }
}

async function packsIn(root: string, log: Options['log']) {
  const names = await readdir(root).catch((error) => {
    log.warn({ err: error, folder: root }, 'Cannot read a folder of packs')
    return []
  })
  const packs = names.map((name) => ({ name, folder: join(root, name) }))
  const isPack = await Promise.all(packs.map(({ name, folder }) => !name.startsWith('.') && hasPack(folder)))
  return packs.filter((_, index) => isPack[index])
}

const hasPack = (folder: string): Promise<boolean> =>
  stat(join(folder, 'pack.ts')).then(
    (entry) => entry.isFile(),
    () => false
  )

async function findPack(name: string, folder: string): Promise<Found | LoadFault> {
  try {
    return { name, digest: (await readSnapshot(folder)).digest, folder }
  } catch (error) {
    return asFault(error)
  }
}

const twice = (places: readonly string[]) =>
  new LoadFault('import', `lies in more than one folder of packs: ${places.join(', ')}`)

/** Without the path that messages of the file system carry. */
function asFault(error: unknown): LoadFault {
  if (error instanceof LoadFault) return error
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return new LoadFault('import', `the files of the pack cannot be read or copied${code}`, error)
}
