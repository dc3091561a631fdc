import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { pace } from '../../contract/pace.ts'
import type { Migration } from '../../database/read-migrations.ts'
import { readMigrations } from '../../database/read-migrations.ts'
import { LoadFault } from '../faults.ts'
import { digestOf } from './digest.ts'
import { importFile } from './imports.ts'
import type { Manifest } from './manifest.ts'
import { checkManifest } from './manifest.ts'
import { createVersions } from './versions.ts'
import { watchPacks } from './watcher.ts'

/** A pack in one of the folders that is not loaded yet. */
export interface Found {
  readonly name: string
  /** The original folder. */
  readonly folder: string
}

/** One version of a pack, whose files never change. */
export interface Loaded extends Found {
  readonly digest: string
  /** The copied folder, from which everything of this version comes. */
  readonly version: string
  readonly manifest: Manifest
  readonly migrations: readonly Migration[]
}

interface Options {
  /** Folders with one subfolder a pack. */
  readonly folders: readonly string[]
  /** Where versions are copied to; not below a `node_modules`. */
  readonly versions: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Finds packs and loads them from copies, so that an old version never sees new files. */
export function createLoader({ folders, versions: place, log }: Options) {
  const versions = createVersions(place)
  const roots = [...new Set(folders)]

  /** The pack of that name, or why it cannot be read. */
  async function find(name: string): Promise<Found | LoadFault | undefined> {
    if (name.startsWith('.') || name !== basename(name)) return undefined
    const places = roots.map((root) => join(root, name)).filter((place) => existsSync(join(place, 'pack.ts')))
    const [folder] = places
    if (!folder) return undefined
    if (places.length > 1) {
      const names = places.map((place) => basename(dirname(place)))
      return new LoadFault(`lies in more than one folder of packs: ${names.join(', ')}`)
    }
    return { name, folder }
  }

  /**
   * The digest of the files that are in the folder of a pack now. Packs that are disabled need none.
   *
   * @throws LoadFault if the files cannot be read
   */
  async function digest({ folder }: Found): Promise<string> {
    await pace()
    try {
      return digestOf(folder)
    } catch (error) {
      if (error instanceof LoadFault) throw error
      throw new LoadFault(`its files cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }

  async function namesIn(root: string): Promise<readonly string[]> {
    return readdir(root).catch((error) => {
      log.warn({ err: error, folder: root }, 'Cannot read a folder of packs')
      return []
    })
  }

  /** All packs in the folders by name, or why there is none of that name. */
  async function scan(): Promise<ReadonlyMap<string, Found | LoadFault>> {
    const names = new Set((await Promise.all(roots.map(namesIn))).flat())
    const all = await Promise.all([...names].map(async (name) => [name, await find(name)] as const))
    return new Map(all.flatMap(([name, found]) => (found ? [[name, found]] : [])))
  }

  /**
   * Imports a version, or throws a LoadFault. The same digest gives the same modules, also when the original
   * folder has gone on since. A digest that was never copied is gone by then: what lies there now is loaded,
   * and the reply carries its digest.
   */
  async function load(found: Found | Error | undefined): Promise<Loaded> {
    if (!found) throw new LoadFault('no such pack in the folders of this instance')
    if (found instanceof Error) throw found
    const { name, folder } = found
    const version =
      (await versions.find(name, await digest(found), folder)) ?? (await versions.copy(name, folder))
    const manifest = checkManifest((await importFile(version.folder, 'pack.ts')).default, name)
    const migrations = await readMigrations(version.folder)
    return { name, digest: version.digest, folder, version: version.folder, manifest, migrations }
  }

  return {
    find,
    scan,
    digest,
    load,
    watch: (hear: (name: string) => void) => watchPacks(roots, hear),
    sweep: versions.sweep
  }
}
export type Loader = ReturnType<typeof createLoader>
