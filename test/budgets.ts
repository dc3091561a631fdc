// Prints the ten test files that took the most CPU time when they last ran, and the files of packs that are over their
// budget; at three times the budget it fails. `npm test` ends with it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kernel/deployment.ts'
import type { Cost } from './cpu.ts'
import { costs, UNIT } from './cpu.ts'

/** Of a pack's test file, in seconds. One that needs more says so: `// budget: 8 s, because …`. */
const BUDGET = 3
/** What a process needs to load a platform, which its first file pays for. */
const LOAD = 2
/** The same file does not cost the same twice, least of all beside others: what is a little over is only printed. */
const TOLERANCE = 3

const text = existsSync(costs) ? readFileSync(costs, 'utf8') : ''
const lines = text.split('\n').filter(Boolean)
const all: Cost[] = lines.map((line) => JSON.parse(line))
const latest = [...new Map(all.map((cost) => [cost.file, cost])).values()]
const known = latest.filter(({ file }) => existsSync(join(root, file)))
writeFileSync(costs, known.map((cost) => `${JSON.stringify(cost)}\n`).join(''))

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

const inTotal = known.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(
  `${known.length} test files took ${inTotal.toFixed(0)} s of CPU time, on a machine ${pace.toFixed(2)} times as slow ` +
    'as that of their budgets. The dearest:'
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
