// Prints the ten test files that took the most CPU time when they last ran, and the files of packs that are over their
// budget; at three times the budget it fails. `npm test` ends with it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kernel/deployment.ts'
import type { Cost } from './cpu.ts'
import { readCosts, UNIT } from './cpu.ts'

/** Of a pack's test file, in seconds. One that needs more says so: `// budget: 8 s, because …`. */
const BUDGET = 3
/** What a process needs to load a platform, which its first file pays for. */
const LOAD = 2
/** The same file does not cost the same twice, least of all beside others: what is a little over is only printed. */
const TOLERANCE = 3

const known = readCosts()

/** How much slower this machine is than the one of the budgets, by the median. A faster one changes no budget. */
const units = known.map(({ unit }) => unit).sort((a, b) => a - b)
const pace = Math.max(1, (units[units.length >> 1] ?? UNIT) / UNIT)
/** One that others share may be slower for a while: as it was behind that file, where that is slower still. */
const paceAt = ({ unit }: Cost) => Math.max(pace, unit / UNIT)

function budgetOf({ file, first }: Cost): { seconds: number; reason?: string } {
  const [, own, reason] =
    /^\/\/ budget: (\d+) s, (because .+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? []
  return { seconds: Number(own ?? BUDGET) + (first ? LOAD : 0), reason }
}

const total = (of: (cost: Cost) => number) => known.reduce((sum, cost) => sum + of(cost), 0)
console.log(
  `${known.length} test files took ${total(({ seconds }) => seconds).toFixed(0)} s of CPU time and started ` +
    `${total(({ starts }) => starts)} platforms, on a machine ${pace.toFixed(2)} times as slow as that of their budgets. ` +
    'The most expensive files:'
)
const dearest = known.toSorted((a, b) => b.seconds - a.seconds)
for (const cost of dearest.slice(0, 10)) {
  const { reason = '' } = budgetOf(cost)
  console.log(`${cost.seconds.toFixed(1).padStart(7)} s  ${cost.file}  ${reason}`.trimEnd())
}

const over = dearest.filter(
  (cost) => cost.file.startsWith('plugins/') && cost.seconds > budgetOf(cost).seconds * paceAt(cost)
)
for (const cost of over)
  console.error(
    `${cost.file} took ${cost.seconds.toFixed(1)} s, ${(cost.seconds / paceAt(cost)).toFixed(1)} s on that machine: its budget ` +
      `is ${budgetOf(cost).seconds} s. Make it cheaper, or say why it is not: // budget: 8 s, because …`
  )
const failing = over.filter((cost) => cost.seconds > budgetOf(cost).seconds * paceAt(cost) * TOLERANCE)
process.exitCode = failing.length > 0 ? 1 : 0
