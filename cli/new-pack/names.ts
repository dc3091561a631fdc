import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkManifest } from '../../kernel/packs/loader/manifest.ts'

/** Where the platform's own API is at home, or will be: `/v1/<area>`. */
export const areas = (
  'a2a activity agents audio auth billing compute credits files flags goals knowledge liaison library logs mcp ' +
  'memory models oauth packs previews providers provenance runtime sessions shared skills spaces spaces-stream ' +
  'tasks tool-keys tool-permissions tools ui-plugins usage wallets workflows'
).split(' ')

/** Throws an Error of one line where no new pack may be called so. */
export function checkName(name: string, folders: readonly string[]): void {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name))
    throw new Error(`${name}: a name is words of small letters joined by -, such as meeting-notes`)
  if (name.length > 39) throw new Error(`${name}: a name has 39 letters at most`)
  try {
    checkManifest({ name, area: 'Own', summary: name }, name)
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`)
  }
  if (areas.includes(name))
    throw new Error(`${name}: /v1/${name} belongs to the platform; choose another name`)
  const place = folders.find((folder) => existsSync(join(folder, name)))
  if (place !== undefined) throw new Error(`${name}: there is such a folder in ${place} already`)
}
