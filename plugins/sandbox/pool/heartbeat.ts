import { readdirSync, readFileSync } from 'node:fs'

/** Silence that nobody looks into. */
const USUAL = 4
/** Looks at which it could have answered, and did not. */
const HUNG = 10
/** Looks after which it is hung, whatever kept it, and where that cannot be known. */
const LONGEST = 200
const UNKNOWN = 30

/** What a thread did since it was started: nanoseconds that it ran, and that it waited for a processor. */
export interface ThreadReading {
  readonly state: string
  readonly ran: number
  readonly waited: number
}
/** Of a process: its threads, the main one first. */
export type Reading = ReadonlyMap<string, ThreadReading>

/**
 * Whether a process that should answer is hung, asked at each of its sweeps. One that gets no turn of the processor is not: on a busy
 * machine others are the reason.
 */
export function createHeartbeat(read: () => Reading | undefined, now = () => performance.now()) {
  let silent = 0
  let guilty = 0
  let before: { readonly at: number; readonly reading: Reading } | undefined

  return {
    heard(): void {
      if (silent === 0) return
      silent = guilty = 0
      before = undefined
    },

    /** `isPatient`: it may wait for a processor for as long as its calls may last. */
    isHung(isPatient = false): boolean {
      if (++silent < USUAL) return false
      const [at, reading] = [now(), read()]
      if (!reading) return silent >= UNKNOWN
      if (before && !isStarved(before.reading, reading, (at - before.at) * 1e6)) guilty++
      before = { at, reading }
      return guilty >= HUNG || (!isPatient && silent >= LONGEST)
    }
  }
}

/** Its main thread wants to run, or waits for one that does, and others have the processor. */
function isStarved(before: Reading, now: Reading, elapsed: number): boolean {
  const [main] = now.values()
  const awaited = main?.state === 'S' || main?.state === 'D' ? [...now] : [...now].slice(0, 1)
  return awaited.some(([id, { state, ran, waited }]) => {
    const last = before.get(id)
    if (!last || state !== 'R') return last !== undefined && waited - last.waited > elapsed / 2
    return ran === last.ran || waited - last.waited > elapsed / 2
  })
}

/** Undefined where the system does not tell. */
export function readThreads(pid: number): Reading | undefined {
  try {
    const ids = new Set([String(pid), ...readdirSync(`/proc/${pid}/task`)])
    return new Map([...ids].map((id) => [id, readThread(`/proc/${pid}/task/${id}`)]))
  } catch {
    return undefined
  }
}

function readThread(folder: string): ThreadReading {
  const [ran = 0, waited = 0] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number)
  const [, state = ''] = /\) (\w)/.exec(readFileSync(`${folder}/stat`, 'utf8')) ?? []
  return { state, ran, waited }
}
