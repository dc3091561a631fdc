import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kernel/deployment.ts'
import type { TestFile, Tier } from './files.ts'
import { isConsole, TIERS } from './files.ts'

/** Seconds that each file took in the last complete run on an idle machine; `UPDATE=1 npm run test:whole` writes it. */
export const durationsFile = join(root, 'test/runner/durations.json')

/** The number of parts into which the files of the tier `long` are split. */
export const QUARTERS = 4

export interface Plan {
  /** Files in the order in which workers take them. */
  readonly files: readonly TestFile[]
  /** Unix time in milliseconds after which no worker takes a further file; null: no limit. */
  readonly until: number | null
}

/** The quarter of the tier `long` to which a file belongs, from 0 to 3, by a hash of its path. */
export const quarterOf = (path: string): number =>
  createHash('sha256').update(path).digest().readUInt32BE() % QUARTERS

/**
 * The files of a tier.
 *
 * @param options.isExact leave out the files of the tiers below; default: false
 * @param options.quarter of the tier `long`, only that part, from 0 to 3; default: all
 */
export function select(
  files: readonly TestFile[],
  tier: Tier,
  { isExact = false, quarter }: { isExact?: boolean; quarter?: number | undefined } = {}
): readonly TestFile[] {
  // Files of `long` occupy the machine or end processes: each has its own, except those that share a browser.
  if (tier === 'long')
    return files
      .filter((file) => file.tier === 'long' || file.hasLongForm)
      .filter(({ path }) => quarter === undefined || quarterOf(path) === quarter)
      .map((file) => ({ ...file, isAlone: !isConsole(file.path) }))
  const rank = (it: Tier) => TIERS.indexOf(it)
  return files.filter((file) => (isExact ? file.tier === tier : rank(file.tier) <= rank(tier)))
}

/** The longest files first, so that no worker is left alone with one of them at the end. */
export function byDuration(files: readonly TestFile[]): readonly TestFile[] {
  const seconds: Record<string, number> = JSON.parse(readFileSync(durationsFile, 'utf8'))
  return files.toSorted((a, b) => (seconds[b.path] ?? 1) - (seconds[a.path] ?? 1))
}

const planIn = (folder: string) => join(folder, 'plan.json')

export function writePlan(folder: string, plan: Plan): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(planIn(folder), JSON.stringify(plan))
}

export const readPlan = (folder: string): Plan => JSON.parse(readFileSync(planIn(folder), 'utf8'))

/** The files of a plan that no other worker has taken, one at a time, until none is left or the time is over. */
export function* takeFiles(folder: string): Generator<TestFile> {
  const { files, until } = readPlan(folder)
  for (const [index, file] of files.entries()) {
    if (until !== null && Date.now() > until) return
    if (take(join(folder, `${index}.taken`))) yield file
  }
}

/** Exactly one process creates the file. */
function take(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
