// Loaded before anything else of a test process, see `.taprc`.
import { registerHooks } from 'node:module'
import { relative, resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { noteCost } from './cpu.ts'

/** What a test process does without, by what is imported instead. */
const without: readonly [RegExp, string][] = [
  // tap makes each process, and each that this starts, note all files that it loads. That is for coverage, which is off,
  // and costs more than the start of a platform.
  [/\/@tapjs\/processinfo\/.*\/import\.mjs$/, ''],
  // tap watches each promise of the process, to know of which test an error is that nothing catches. Without that it ends
  // the process, and the file fails.
  [/^async-hook-domain$/, 'export class Domain { destroy() {} }']
]
registerHooks({
  resolve(specifier, context, next) {
    const found = without.find(([pattern]) => pattern.test(specifier))
    if (!found) return next(specifier, context)
    return { url: `data:text/javascript,${found[1]}`, format: 'module', shortCircuit: true }
  }
})
delete process.env.NODE_OPTIONS
process.execArgv = process.execArgv.filter((argument) => !argument.includes('@tapjs'))

// What is compiled is kept for the next process, also for one that this starts in another folder.
const { NODE_COMPILE_CACHE: compiled } = process.env
if (compiled) process.env.NODE_COMPILE_CACHE = resolve(compiled)

const file = relative(process.cwd(), process.argv[1] ?? '')
if (isMainThread && file.endsWith('.test.ts')) process.once('exit', () => noteCost(file))
