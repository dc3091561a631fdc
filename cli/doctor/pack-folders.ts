import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations } from '../../kernel/database/read-migrations.ts'
import type { Deployment } from '../../kernel/deployment.ts'
import type { LoadFault } from '../../kernel/packs/faults.ts'
import { importFile } from '../../kernel/packs/loader/imports.ts'
import type { Found, Loaded } from '../../kernel/packs/loader/loader.ts'
import { createLoader } from '../../kernel/packs/loader/loader.ts'
import { checkManifest } from '../../kernel/packs/loader/manifest.ts'
import { silent } from '../database.ts'

/** Looking for packs copies none: this folder is never made. */
const NOWHERE = join(tmpdir(), 'agent-platform-doctor')

/** The packs in the deployment's folders, or why one cannot be read. */
export async function scanPacks({ folders }: Deployment): Promise<readonly (Found | LoadFault)[]> {
  const found = await createLoader({ folders, versions: NOWHERE, log: silent }).scan()
  return [...found.values()]
}

/** As the platform loads a pack, except that it is not copied: from the folder where it lies. */
export async function loadInPlace(found: Found | Error | undefined): Promise<Omit<Loaded, 'digest'>> {
  if (!found) throw new Error('it is not there')
  if (found instanceof Error) throw found
  const { name, folder } = found
  const manifest = checkManifest((await importFile(folder, 'pack.ts')).default, name)
  return { ...found, version: folder, manifest, migrations: await readMigrations(folder) }
}
