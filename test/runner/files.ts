import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kernel/deployment.ts'

/** From the most to the least frequent: with each commit, before a merge, and one quarter a day. */
export const TIERS = ['main', 'whole', 'long'] as const
export type Tier = (typeof TIERS)[number]

export interface TestFile {
  /** Path from the root of the repository. */
  readonly path: string
  readonly tier: Tier
  /** The file needs a process of its own; other files run one after another in the process of a worker. */
  readonly isAlone: boolean
  /** The file runs on the servers at `TEST_DATABASE_URL` and `TEST_REDIS_URL` if they are set. */
  readonly usesServers: boolean
  /** The file repeats its faults more often, or checks more appearances, in the tier `long`. */
  readonly hasLongForm: boolean
}

/** Whether a file is one of those that share a platform and a browser, which stay open until the process ends. */
export const isConsole = (path: string) => path.startsWith('test/console/')

/** The comment lines before the first line of code. */
const headerOf = (text: string) => text.slice(0, text.search(/^(?!\/\/)/m))

/**
 * What the header of a test file declares.
 *
 * @param text the content of the file
 * @throws if a marker has an unknown value, or if a tier is declared twice
 */
export function parseTestFile(path: string, text: string): TestFile {
  const header = headerOf(text)
  const tiers = Array.from(header.matchAll(/^\/\/ tier: (\S+)/gm), ([, tier]) => tier)
  const tier = tiers[0] ?? 'main'
  if (tiers.length > 1 || !TIERS.includes(tier as Tier))
    throw new Error(`${path} declares the tiers ${tiers.join(', ')}; expected one of ${TIERS.join(', ')}`)
  const usesServers = /^\/\/ servers: PostgreSQL and Redis$/m.test(header)
  return {
    path,
    tier: tier as Tier,
    isAlone: !isConsole(path) && (usesServers || /^\/\/ process: own/m.test(header)),
    usesServers,
    hasLongForm: isConsole(path) || text.includes("/rounds.ts'")
  }
}

/** Every test file of the repository, sorted by path. */
export function findTestFiles(): readonly TestFile[] {
  const paths = globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**', '.*/**'] })
  return paths.sort().map((path) => parseTestFile(path, readFileSync(join(root, path), 'utf8')))
}
