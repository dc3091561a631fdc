import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import knexFactory from 'knex'
import { findPackage } from '../kernel/database/embedded/programs.ts'
import { startEmbedded } from '../kernel/database/embedded/server.ts'
import { root } from '../kernel/deployment.ts'
import { migrated } from './migrated.ts'
import { quickFolder, sharedFolder } from './shared-folder.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

const log = { info() {}, warn: console.error, error: console.error }
let cluster: Promise<string> | undefined

/**
 * A data folder with the copies of our packs and, unless the database is elsewhere, one in which they have migrated, so
 * that a platform starts on it without doing so. Starts on an empty folder are the subject of `test/first-start*.test.ts`.
 */
export async function preparedDataDir(t: Scope, { database = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(quickFolder(), 'agent-platform-data-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Root's database server runs as another user, which must get through.
  await chmod(folder, 0o755)
  if (database) {
    cluster ??= migratedCluster()
    await promisify(execFile)('cp', ['-a', await cluster, join(folder, 'postgres')])
  }
  await sharePackCopies(folder)
  return folder
}

/** The files of an embedded server that has stopped, made by the first process that needs them; others for others. */
async function migratedCluster(): Promise<string> {
  const { digest, fill } = migrated()
  const makers = [join(root, 'kernel/database/embedded/server.ts'), join(findPackage(), 'package.json')]
  const texts = makers.map((file) => readFileSync(file, 'utf8'))
  const place = join(sharedFolder('clusters'), digestOf(digest, ...texts))
  if (existsSync(place)) return place
  const draft = await mkdtemp(`${place}-`)
  await chmod(draft, 0o755)
  const options = { dataDir: join(draft, 'postgres'), log, settings: { fsync: 'off' } }
  const { connection, leave } = await startEmbedded(options)
  const knex = knexFactory({ client: 'pg', connection, pool: { min: 0, max: 1 } })
  await fill(knex)
  await knex.destroy()
  await leave()
  await rename(join(draft, 'postgres'), place).catch((error) => {
    if (!existsSync(place)) throw error
  })
  await rm(draft, { recursive: true, force: true })
  return place
}

/** Of this checkout: a copy notes where its pack lies, for the npm packages that it imports. */
const copies = join(root, '.tap/packs')

/**
 * Copies of a pack never change: those of our own packs are made once, and their modules compiled once, for all
 * tests. Packs of `further` folders are copied into the data folder alone.
 */
export async function sharePackCopies(dataDir: string, further = false): Promise<void> {
  await mkdir(copies, { recursive: true })
  const place = join(dataDir, 'packs')
  if (!further) return symlink(copies, place)
  await mkdir(place)
  for (const name of await readdir(copies))
    if (name.includes('@')) await symlink(join(copies, name), join(place, name))
}

function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12)
}
