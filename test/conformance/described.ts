import { glob, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pino } from 'pino'
import { createHot } from '../../kernel/database/hot.ts'
import { root } from '../../kernel/deployment.ts'
import type { MountedRoute } from '../../kernel/http/routes.ts'
import type { Loaded } from '../../kernel/packs/loader/loader.ts'
import { createLoader } from '../../kernel/packs/loader/loader.ts'
import type { Capability } from '../../plugins/ui-plugins/contract.ts'
import type { Booted } from '../boot.ts'
import type { Contract } from './contract.ts'
import { readContract } from './contract.ts'
import type { Table } from './tables.ts'
import { readTables } from './tables.ts'

/** A pack as its files, its manifest and the running platform show it. */
export interface Described extends Pick<Loaded, 'name' | 'folder' | 'manifest' | 'migrations'> {
  readonly schema: string
  /** Text of each file, by path relative to the folder, with slashes. */
  readonly files: ReadonlyMap<string, string>
  readonly contract: Contract
  readonly routes: readonly MountedRoute[]
  readonly tables: readonly Table[]
  /** What apps may use of it, by name. */
  readonly capabilities: ReadonlyMap<string, Capability>
  /** Names of the functions of each store, by the store's key. */
  readonly stores: ReadonlyMap<string, readonly string[]>
}

/** The pack of that name, which has to run. */
export async function describe(
  { platform: { packs, knex, points }, dataDir }: Booted,
  name: string,
  folders: readonly string[] = [join(root, 'plugins')]
): Promise<Described> {
  const loader = createLoader({ folders, versions: join(dataDir, 'packs'), log: pino({ level: 'silent' }) })
  const loaded = await loader.load(await loader.find(name))
  const { folder, manifest, migrations } = loaded
  const mounted = packs.mounted().find((pack) => pack.name === name)
  if (!mounted) throw new Error(`${name} does not run`)
  const files = await readFiles(folder)
  const schema = name.replaceAll('-', '_')
  return {
    name,
    folder,
    manifest,
    migrations,
    schema,
    files,
    contract: readContract(files.get('contract.ts') ?? ''),
    routes: mounted.routes,
    tables: await readTables(knex, schema),
    capabilities: new Map(
      points
        .all('ui-plugins.capability')
        .filter((it) => it.pack === name)
        .map(({ key = '', value }) => [key, value])
    ),
    stores: storesOf(manifest, { knex, hot: createHot(knex) })
  }
}

/** What runs in browsers has its own rules: an application, and what is built of it. */
const FOR_BROWSERS = /^(?:web|dist)\//

async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .replaceAll(sep, '/')
    if (entry.isFile() && !FOR_BROWSERS.test(path))
      files.set(path, await readFile(join(folder, path), 'utf8'))
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Stores need nothing but the database, so each can be made to look at. */
const storesOf = ({ services = {} }: Loaded['manifest'], deps: object) =>
  new Map(
    Object.entries(services)
      .filter(([key]) => key.endsWith('Store'))
      .map(([key, make]) => [key, Object.keys(make(deps) as object)])
  )
