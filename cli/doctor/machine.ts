import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { processOptions } from '../../kernel/database/embedded/folder.ts'
import { findPackage, restoreLinks } from '../../kernel/database/embedded/programs.ts'
import { root } from '../../kernel/deployment.ts'
import { canBeOffline } from '../../kernel/untrusted/workers/network.ts'
import { computersCheck } from './computers.ts'
import type { Check, Finding } from './finding.ts'
import { ok, problem, sizeOf, warning } from './finding.ts'
import { nearest } from './folder.ts'
import type { Target } from './target.ts'

const MB = 1024 * 1024
const LITTLE_MEMORY = 256 * MB
const SMALL_MACHINE = 900 * MB
/** A full disk stops PostgreSQL. */
const NO_DISK = 200 * MB
const LITTLE_DISK = 1024 * MB

export const machineChecks = (target: Target): readonly Check[] => [
  { name: 'node', look: node },
  { name: 'embedded PostgreSQL', look: () => programs(target) },
  { name: 'memory', look: memory },
  { name: 'disk', look: () => disk(target) },
  { name: 'confinement', look: confinement },
  computersCheck(target)
]

function node(): Finding {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wanted = Number.parseInt(dependencies.node, 10)
  const found = `${process.versions.node} on ${process.platform} ${process.arch}`
  if (Number.parseInt(process.versions.node, 10) === wanted) return ok(found)
  return warning(found, `start by npm, which brings Node ${wanted} along, the one that this was tested with`)
}

/** Whether the PostgreSQL that npm installed can run here: on Alpine Linux, for one, it cannot. */
async function programs({ settings }: Target): Promise<Finding> {
  if (settings.DATABASE_URL) return ok('not needed: DATABASE_URL names a server')
  const advice = 'run `npm ci` again, or set DATABASE_URL to a PostgreSQL server of version 15 or later'
  try {
    const folder = findPackage()
    restoreLinks(folder)
    const program = join(folder, 'native', 'bin', 'postgres')
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      ...processOptions(undefined),
      timeout: 10_000
    })
    return ok(stdout.trim())
  } catch (error) {
    const [first] = (error as Error).message.split('\n')
    return problem(`it does not run here: ${first}`, advice)
  }
}

/** Processes that read documents and run programs of apps. */
async function confinement(): Promise<Finding> {
  if (await canBeOffline()) return ok('untrusted documents and app code run without network access')
  return warning(
    'untrusted documents and app code run without network isolation',
    'run on Linux with `unshare` of util-linux, as root or where users may make namespaces'
  )
}

function memory(): Finding {
  const total = process.constrainedMemory() || totalmem()
  const all = Math.min(total, totalmem())
  const free = process.availableMemory()
  const found = `${sizeOf(free)} free of ${sizeOf(all)}`
  if (free < LITTLE_MEMORY) return warning(found, 'end other programs, or give this machine more memory')
  if (all < SMALL_MACHINE)
    return warning(found, 'give this machine at least 1 GB for a platform and its database')
  return ok(found)
}

async function disk({ settings: { DATA_DIR, DATABASE_URL } }: Target): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearest(DATA_DIR))
  const free = bavail * bsize
  const found = `${sizeOf(free)} free for ${DATA_DIR}`
  const advice = 'make room, or set DATA_DIR to a folder on a larger disk'
  if (free < NO_DISK && !DATABASE_URL) return problem(found, `${advice}: a full disk stops the database`)
  return free < LITTLE_DISK ? warning(found, advice) : ok(found)
}
