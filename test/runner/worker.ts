// Runs the test files of a plan that no other worker has taken. Files that need no process of their own run one after
// another in this process: the modules that they share are loaded and compiled once.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { noteCost, startCost } from '../cpu.ts'
import type { TestFile } from './files.ts'
import { takeFiles } from './plan.ts'

/** The test of each file, by the URL of the file. */
const tests = new Map<string, unknown>()
Object.assign(globalThis, { testOf: (file: string) => tests.get(file) })

// What a file imports as `t` is a test of its own: what it sets up is torn down before the next file starts.
registerHooks({
  resolve(specifier, context, next) {
    const file = context.parentURL ?? ''
    if (specifier !== 'tap' || !tests.has(file)) return next(specifier, context)
    return { url: `test-of:${file}`, format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    if (!url.startsWith('test-of:')) return next(url, context)
    const file = url.slice('test-of:'.length)
    const source = `export default globalThis.testOf(${JSON.stringify(file)})`
    return { format: 'module', source, shortCircuit: true }
  }
})

/** A file has as much time as it has in a process of its own; the worker has no limit. */
const timeout = Number(process.env.TAP_TIMEOUT ?? 600) * 1000
t.setTimeout(0)

// A child process does not inherit the number of its worker from tap.
process.env.TEST_WORKER = process.env.TAP_JOB_ID ?? '0'
const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env
delete process.env.TEST_DATABASE_URL
delete process.env.TEST_REDIS_URL
const servers = { ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }), ...(TEST_REDIS_URL && { TEST_REDIS_URL }) }

/** The number of files that this worker has finished. */
let taken = 0

/** Runs the files of the plan in the folder `TEST_PLAN`, which `main.ts` writes. */
export async function work(): Promise<void> {
  const { TEST_PLAN: folder } = process.env
  if (!folder)
    throw new Error('A worker needs a plan: run `npm test`, or `npx tap` with the path of a test file')
  for (const file of takeFiles(folder)) {
    await (file.isAlone ? runAlone(file) : runHere(file))
    taken++
  }
  t.pass(`took ${taken} files`)
}

/** The options of the process of a test file: those of tap, which the setup of this process has removed from itself. */
async function runAlone({ path, usesServers }: TestFile): Promise<void> {
  const env = {
    ...process.env,
    ...(usesServers && servers),
    NODE_OPTIONS: '--import=./test/setup.ts'
  }
  await t.spawn(process.execPath, [...process.execArgv, path], { env, timeout }, path)
}

/** Whether a file has opened what later files share: from then on, open resources tell nothing about a single file. */
let isShared = false

async function runHere({ path }: TestFile): Promise<void> {
  // The first file pays for loading the modules of the worker.
  if (taken > 0) startCost()
  const before = openResources()
  isShared ||= path.startsWith('test/console/')
  await t.test(path, { timeout }, async (t) => {
    const { href } = pathToFileURL(join(root, path))
    tests.set(href, t)
    await import(href)
  })
  // In a process of its own, such a file would not end.
  if (!isShared) await t.test(`${path} leaves nothing open`, async (t) => t.same(await left(before), []))
  noteCost(path)
}

/** A write that its reader has not received yet. */
const WRITE = 'SimpleWriteWrap'

/** The number of open resources of each kind that keep this process alive, without the output of the tests. */
function openResources(): ReadonlyMap<string, number> {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)
  if (process.stdout.writableLength > 0) kinds.get(WRITE)?.pop()
  return new Map([...kinds].map(([kind, all]) => [kind, all.length]))
}

/** The kinds of which more resources are open than before, once those that are closing have closed. */
async function left(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  for (let attempt = 0; ; attempt++) {
    const more = [...openResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
    if (more.length === 0 || attempt === 100) return more.map(([kind]) => kind)
    await delay(Math.min(2 ** attempt, 100))
  }
}
