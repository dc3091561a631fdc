import type { SandboxSettings } from '../settings.ts'
import type { SandboxProcess } from './sandbox-process.ts'

/** Processes that the programs of a group are spread over before they share one: what is lost with one is less. */
const SPREAD = 2

/** Milliseconds for which a group has a process, while others wait for one. */
const TURN_MS = 1_000

interface Wanted {
  readonly id: string
  readonly group: string
  readonly culprit: string
  /** With no other program in its process. */
  readonly isApart: boolean
  /** In a process that gets of the processors what others leave. */
  readonly isBackground: boolean
}

interface Changes {
  start(): SandboxProcess
  /** Ends one that has no calls, and starts another one instead. */
  replace(process: SandboxProcess): SandboxProcess
}

/**
 * Which process a program goes to: where it is warm, else one of its group, a new one, or one that another group does not use.
 * Undefined where there is none at present.
 */
export function placeFor(
  wanted: Wanted,
  processes: ReadonlySet<SandboxProcess>,
  { processes: most, warmPerProcess }: SandboxSettings,
  { start, replace }: Changes
): SandboxProcess | undefined {
  const apart = wanted.isApart ? wanted.culprit : undefined
  const isLike = ({ state }: SandboxProcess) => state.isBackground === wanted.isBackground
  const all = [...processes].filter(({ state }) => !state.isSpent)
  const own = all.filter(
    (it) => it.state.group === wanted.group && it.state.apart === apart && isLike(it) && !it.state.isLeaving
  )
  const warm = own.find((it) => it.has(wanted.id))
  if (warm) return warm
  const fits = own
    .filter((it) => it.programs() < (apart === undefined ? warmPerProcess : Number.POSITIVE_INFINITY))
    .sort((a, b) => a.calls() - b.calls() || a.programs() - b.programs())
  const [first] = fits
  if (first && (apart !== undefined || fits.length >= SPREAD)) return first

  /** What gets what others leave never becomes one that gets more. */
  const canBe = ({ state }: SandboxProcess) => wanted.isBackground || !state.isBackground
  const likeFirst = (a: SandboxProcess, b: SandboxProcess) => Number(isLike(b)) - Number(isLike(a))
  const [unused] = all.filter((it) => it.state.group === undefined && canBe(it)).sort(likeFirst)
  const added = unused ?? (processes.size < most ? start() : undefined)
  if (added) return claim(added, wanted, apart)
  if (first) return first
  const full = own.find((it) => it.idle().length > 0)
  if (full) {
    leastUsed(full.idle()).forEach((it) => {
      full.evict(it)
    })
    return full
  }
  const [idle] = all
    .filter((it) => it.calls() === 0)
    .sort((a, b) => likeFirst(a, b) || a.state.usedAt - b.state.usedAt)
  if (idle) {
    idle.clear()
    return claim(canBe(idle) ? idle : replace(idle), wanted, apart)
  }
  if (own.length === 0) askBack(all, `${wanted.group}/${apart ?? ''}`, performance.now())
  return undefined
}

function claim(process: SandboxProcess, { group, isBackground }: Wanted, apart?: string): SandboxProcess {
  if (isBackground) process.background()
  Object.assign(process.state, { group, apart, claimedAt: performance.now() })
  return process
}

/** The least used one of them, if there is any. */
const leastUsed = <T extends { readonly usedAt: number }>(warm: readonly T[]): readonly T[] =>
  warm.toSorted((a, b) => a.usedAt - b.usedAt).slice(0, 1)

/**
 * One process is given back when its calls have ended: of a group that has several, else the one that its group has had the longest, for
 * a turn at least. Where that takes longer than a turn, another one is asked for too, up to half of them.
 */
function askBack(all: readonly SandboxProcess[], by: string, now: number): void {
  const leaving = all.filter(({ state }) => state.isLeaving)
  const isAsked = leaving.some(({ state }) => state.askedBy === by && now - state.askedAt < TURN_MS)
  if (isAsked || leaving.length >= all.length / 2) return
  const stay = all.filter(({ state }) => !state.isLeaving)
  const groups = Object.values(Object.groupBy(stay, ({ state }) => state.group ?? ''))
  const most = groups.reduce<SandboxProcess[]>((a = [], b = []) => (b.length > a.length ? b : a), [])
  const [last] =
    most.length > 1
      ? most.toSorted((a, b) => a.calls() - b.calls())
      : stay
          .filter(({ state }) => now - state.claimedAt >= TURN_MS)
          .sort((a, b) => a.state.claimedAt - b.state.claimedAt)
  if (last) Object.assign(last.state, { isLeaving: true, askedBy: by, askedAt: now })
}

/** What is loaded beyond what may be: the least used that nobody is in leave. */
export function makeRoom(processes: ReadonlySet<SandboxProcess>, most: number): void {
  let count = 0
  for (const process of processes) count += process.programs()
  if (count <= most) return
  const idle = [...processes].flatMap((process) => process.idle().map((warm) => ({ process, warm })))
  idle.sort((a, b) => a.warm.usedAt - b.warm.usedAt)
  for (const { process, warm } of idle.slice(0, count - most)) process.evict(warm)
}
