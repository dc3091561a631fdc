import { realpathSync } from 'node:fs'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

export const HOME = process.env.HOME ?? '/home/agent'
const root = realpathSync(HOME)

export function faultOf(code: string, message: string, path?: string): Error {
  return Object.assign(new Error(message), { code, path })
}

const isWithin = (path: string) => path === root || path.startsWith(`${root}/`)

/**
 * Where a path of the home leads to, links followed; refused where that is outside of it. With `make` the folders above are made,
 * and the last part of the path may be missing, but must be no link to elsewhere.
 */
export async function placeOf(path: string, make = false): Promise<string> {
  if (path.includes('\0')) throw faultOf('outside_home', 'A path has no null characters', path)
  const asked = resolve(root, path.replace(/^~(?=\/|$)/, '.'))
  if (!isWithin(asked)) throw faultOf('outside_home', `${path} is outside of the home`, path)
  if (!make) {
    const real = await realpath(asked)
    if (!isWithin(real)) throw faultOf('outside_home', `${path} leads out of the home`, path)
    return real
  }
  if (asked === root) throw faultOf('EISDIR', `${path} is a folder`, path)
  const folder = await makeFolder(dirname(asked), path)
  const place = join(folder, basename(asked))
  const found = await lstat(place).catch(() => undefined)
  // It is replaced as a whole, a link too: what it points to stays as it is.
  if (found?.isDirectory()) throw faultOf('EISDIR', `${path} is a folder`, path)
  return place
}

async function makeFolder(folder: string, path: string): Promise<string> {
  let known = folder
  const missing: string[] = []
  for (;;) {
    const real = await realpath(known).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (real !== undefined) {
      if (!isWithin(real)) throw faultOf('outside_home', `${path} leads out of the home`, path)
      const made = join(real, ...missing)
      if (missing.length > 0) await mkdir(made, { recursive: true })
      return made
    }
    // A link that leads nowhere would be followed by what makes the folder.
    if (await lstat(known).catch(() => undefined))
      throw faultOf('outside_home', `${path} leads nowhere`, path)
    missing.unshift(basename(known))
    known = dirname(known)
  }
}
