// Runs the test files of a tier: `node test/runner/main.ts main|whole|long|changed [--exact] [--quarter 0…3] [--minutes N]`.
// See docs/testing.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../kernel/deployment.ts'
import { clearCosts, readCosts } from '../cpu.ts'
import { changedFiles, select as selectAffected } from './changed.ts'
import type { TestFile, Tier } from './files.ts'
import { findTestFiles, TIERS } from './files.ts'
import { byDuration, durationsFile, select, writePlan } from './plan.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    exact: { type: 'boolean', default: false },
    quarter: { type: 'string' },
    minutes: { type: 'string' }
  }
})
const [tier = 'main'] = positionals
const isUpdate = process.env.UPDATE === '1'

process.exitCode = run()

function run(): number {
  const files = chosen()
  if (files.length === 0) {
    console.log('No test file is affected.')
    return 0
  }
  console.log(`${files.length} test files of ${tier}${values.quarter ? `, quarter ${values.quarter}` : ''}`)
  mkdirSync(join(root, '.tap'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tap/plan-'))
  const until = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : null
  writePlan(folder, { files: byDuration(files), until })
  clearCosts()
  const status = tap(folder)
  const taken = readdirSync(folder).filter((name) => name.endsWith('.taken')).length
  if (taken < files.length) console.log(`${files.length - taken} files were not run: the time was over.`)
  rmSync(folder, { recursive: true })
  const withinBudget = command('node', [join(root, 'test/budgets.ts')]) === 0
  if (isUpdate && status === 0) writeDurations(files)
  return status || (withinBudget ? 0 : 1)
}

function chosen(): readonly TestFile[] {
  const files = findTestFiles()
  if (tier === 'changed') return selectAffected(files, changedFiles())
  if (!TIERS.includes(tier as Tier))
    throw new Error(`Unknown tier ${tier}: expected ${TIERS.join(', ')} or changed`)
  const { exact, quarter } = values
  return select(files, tier as Tier, {
    isExact: exact,
    quarter: quarter === undefined ? undefined : Number(quarter)
  })
}

/** The exit code of tap. Its plugins are compiled first if that was not done after the installation. */
function tap(folder: string): number {
  const built = existsSync(join(root, '.tap/plugins')) ? 0 : command('tap', ['build'])
  const env = { TEST_PLAN: folder, ...(tier === 'long' && { TEST_FAULTS: 'long' }) }
  return built || command('tap', [], env)
}

function command(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, ...env }
  })
  if (error) throw error
  return status ?? 1
}

/** Notes how many seconds each file took, for those above one second. */
function writeDurations(files: readonly TestFile[]): void {
  const known: Record<string, number> = JSON.parse(readFileSync(durationsFile, 'utf8'))
  const latest = Object.fromEntries(readCosts().map(({ file, wall }) => [file, Math.round(wall)]))
  const existing = new Set(findTestFiles().map(({ path }) => path))
  const run = new Set(files.map(({ path }) => path))
  const merged = Object.entries({ ...known, ...latest })
    .filter(([path]) => existing.has(path))
    .map(([path, seconds]) => [path, run.has(path) ? seconds : (known[path] ?? seconds)] as const)
    .filter(([, seconds]) => seconds > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(merged), undefined, 2)}\n`)
}
