import { join } from 'node:path'
import { pino } from 'pino'
import { root } from '../kernel/deployment.ts'
import { createLoader } from '../kernel/packs/loader/loader.ts'
import type { Manifest } from '../kernel/packs/loader/manifest.ts'
import { temporaryFolder } from './pack-folders.ts'

type Scope = Parameters<typeof temporaryFolder>[0]

const by =
  (...of: readonly ((manifest: Manifest) => string)[]) =>
  (a: Manifest, b: Manifest) =>
    of.map((part) => part(a).localeCompare(part(b), 'en')).find((order) => order !== 0) ?? 0

/** Of all packs of this repository, by area and name, without a platform. */
export async function manifestsOf(t: Scope): Promise<readonly Manifest[]> {
  const log = pino({ level: 'silent' })
  const loader = createLoader({
    folders: [join(root, 'plugins')],
    versions: await temporaryFolder(t),
    log
  })
  const loaded = await Promise.all([...(await loader.scan()).values()].map(loader.load))
  return loaded
    .map(({ manifest }) => manifest)
    .sort(
      by(
        ({ area }) => area,
        ({ name }) => name
      )
    )
}
