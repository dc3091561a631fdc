// What each test file costs: CPU time, elapsed time and platforms. `test/budgets.ts` reads it.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Cost {
  /** Its path from the root of the repository. */
  readonly file: string
  /** CPU time in seconds; that of the database server is not in it. */
  readonly seconds: number
  /** It was the first file of its process, which loaded everything. */
  readonly first: boolean
  /** Elapsed time in seconds. */
  readonly wall: number
  /** Platforms that the file started in its process. */
  readonly starts: number
  /** CPU time in milliseconds that the same process took, after its first file, for a fixed piece of work. */
  readonly unit: number
}

const folder = join(import.meta.dirname, '..', '.tap')
const costs = join(folder, 'cpu.jsonl')

/** CPU time so far of this process and of its children that have ended, in seconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + childrenTime()
}

/** Linux alone tells; elsewhere a file that starts processes looks cheaper than it is. */
function childrenTime(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // cutime and cstime of proc(5), in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** What the fixed piece of work takes where the budgets were set, in milliseconds. */
export const UNIT = 4

/** How many times as slow this machine is, now, as the one of the budgets; 1 on a faster one. */
export const pace = () => Math.max(1, unit() / UNIT)

let measured = { unit: 0, at: Number.NEGATIVE_INFINITY }
/** `unit`, measured at most every 5 seconds: the pace of a machine changes more slowly than files end. */
function recentUnit(): number {
  if (performance.now() - measured.at > 5_000) measured = { unit: unit(), at: performance.now() }
  return measured.unit
}

let starts = 0
/** Counts a platform that a test started. */
export const countStart = () => starts++

let cpuNoted = 0
let wallNoted = process.hrtime.bigint() - BigInt(Math.round(process.uptime() * 1e9))
let startsNoted = 0
let isFirst = true

/** Starts to count for the next test file. Child processes that ended before, such as those of other files, do not count. */
export function startCost(): void {
  cpuNoted = cpuTime()
  wallNoted = process.hrtime.bigint()
  startsNoted = starts
}

/** Notes the cost of a test file: everything since `startCost`, or since the start of this process. */
export function noteCost(file: string): void {
  mkdirSync(folder, { recursive: true })
  const wall = process.hrtime.bigint()
  const cost: Cost = {
    file,
    seconds: cpuTime() - cpuNoted,
    wall: Number(wall - wallNoted) / 1e9,
    starts: starts - startsNoted,
    first: isFirst,
    unit: recentUnit()
  }
  appendFileSync(costs, `${JSON.stringify(cost)}\n`)
  isFirst = false
}

/** Deletes the costs of earlier runs. */
export const clearCosts = () => rmSync(costs, { force: true })

/** The latest cost of each test file that still exists. */
export function readCosts(): readonly Cost[] {
  const lines = existsSync(costs) ? readFileSync(costs, 'utf8').split('\n').filter(Boolean) : []
  const all: Cost[] = lines.map((line) => JSON.parse(line))
  const latest = [...new Map(all.map((cost) => [cost.file, cost])).values()]
  return latest.filter(({ file }) => existsSync(join(folder, '..', file)))
}

/** The same work on each machine: text is made, parsed, sorted and looked up, as tests do; the best of three rounds. */
function unit(): number {
  const rounds = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage()
    const rows = Array.from({ length: 4_000 }, (_, n) => ({
      id: `row_${(n * 7919) % 4_001}`,
      values: [n, n + 1]
    }))
    const read: typeof rows = JSON.parse(JSON.stringify(rows))
    const byId = new Map(read.sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => [row.id, row]))
    for (const { id } of rows) if (!byId.has(id)) throw new Error(id)
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1_000
  })
  return Math.min(...rounds)
}
