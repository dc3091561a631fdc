// Runs test files in one process, one after another: what they share is loaded and compiled once.
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { cpuTime, noteCost } from './cpu.ts'

/** The test that each file is, by the file's URL. */
const tests = new Map<string, unknown>()
Object.assign(globalThis, { testOf: (file: string) => tests.get(file) })

// What a file imports as `t` is a test of its own: what it sets up is torn down before the next file begins.
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

/** Each file may take as long as it may alone, in a process with a timeout; this one as long as they need. */
const timeout = Number(process.env.TAP_TIMEOUT ?? 600) * 1000
t.setTimeout(0)

/** Every test file of this repository that matches, in turn. Each must leave nothing open. */
export const suite = (...patterns: readonly string[]) => run(patterns, false)

/** The same of files that share what one of them opened, which stays until this process ends. */
export const sharingSuite = (...patterns: readonly string[]) => run(patterns, true)

async function run(patterns: readonly string[], isSharing: boolean): Promise<void> {
  let from = 0
  for (const file of globSync([...patterns], { cwd: root }).sort()) {
    const before = open()
    await t.test(file, { timeout }, async (t) => {
      const { href } = pathToFileURL(join(root, file))
      tests.set(href, t)
      await import(href)
    })
    // It would have kept a process of its own from ending.
    if (!isSharing) await t.test(`${file} leaves nothing behind`, async (t) => t.same(await left(before), []))
    noteCost({ file, seconds: cpuTime() - from, first: from === 0 })
    from = cpuTime()
  }
}

/** A write that its reader has not taken yet. */
const WRITE = 'SimpleWriteWrap'

/** What keeps this process alive: how many of each kind. What the results of the tests wait for is not theirs. */
function open(): ReadonlyMap<string, number> {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)
  if (process.stdout.writableLength > 0) kinds.get(WRITE)?.pop()
  return new Map([...kinds].map(([kind, all]) => [kind, all.length]))
}

/** The kinds of which more is open than before; what is closing is waited for. */
async function left(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  for (let attempt = 0; ; attempt++) {
    const more = [...open()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
    if (more.length === 0 || attempt === 100) return more.map(([kind]) => kind)
    await delay(Math.min(2 ** attempt, 100))
  }
}
