import type { Stats } from 'node:fs'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { keyFileOf } from '../../kernel/database/vault/key-file.ts'
import { developmentKeyFile } from '../../process/development-key.ts'
import type { Check, Finding } from './finding.ts'
import { ok, problem, warning, worst } from './finding.ts'
import type { Target } from './target.ts'

export const folderChecks = ({ settings: { DATA_DIR } }: Target): readonly Check[] => [
  { name: 'data folder', look: () => folder(DATA_DIR) },
  { name: 'key files', look: () => keyFiles(DATA_DIR) }
]

/** The folder, or the first one above it that is there. */
export function nearest(path: string): string {
  for (let at = path; ; at = dirname(at)) if (existsSync(at) || dirname(at) === at) return at
}

const user = process.getuid?.()
const isOthers = ({ uid }: Stats) => user !== undefined && user !== 0 && uid !== user
const whose = ({ uid }: Stats) =>
  `belongs to the user with the number ${uid}, and this process runs as ${user}`

function folder(dataDir: string): Finding {
  if (dataDir.split(sep).includes('node_modules'))
    return problem(
      `${dataDir} lies below node_modules`,
      'set DATA_DIR to another folder: Node runs no TypeScript there'
    )
  const at = nearest(dataDir)
  const about = statSync(at)
  if (!about.isDirectory()) return problem(`${at} is no folder`, 'set DATA_DIR to a folder')
  if (!mayWrite(at))
    return problem(
      `${at} cannot be written by the user of this process`,
      isOthers(about)
        ? `it ${whose(about)}: start it as that user, or set DATA_DIR`
        : 'chmod u+rwx it, or set DATA_DIR'
    )
  if (at !== dataDir) return ok(`${dataDir} is made at the first start`)
  const database = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })
  if (database && isOthers(database))
    return problem(`the database in ${dataDir} ${whose(database)}`, 'start it as that user, or set DATA_DIR')
  if (process.platform !== 'win32' && about.mode & 0o022)
    return warning(
      `${dataDir} can be written by other users`,
      `chmod go-w ${dataDir}: they could put code of packs there`
    )
  return ok(dataDir)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function keyFiles(dataDir: string): Finding {
  const files = [keyFileOf(dataDir), developmentKeyFile(dataDir)]
  const found = files.map((file) => {
    const about = statSync(file, { throwIfNoEntry: false })
    return about ? keyFile(file, about) : undefined
  })
  return worst(
    found.filter((it) => it !== undefined),
    'none yet'
  )
}

function keyFile(file: string, about: Stats): Finding {
  if (!about.isFile()) return problem(`${file} is no file`, `move ${file} away`)
  if (isOthers(about)) return problem(`${file} ${whose(about)}`, 'start the platform as that user')
  if (process.platform !== 'win32' && about.mode & 0o077)
    return problem(`${file} can be read by other users`, `chmod 600 ${file}`)
  return ok(file)
}
