import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'agent-platform-sandbox-'
const ROOT = '/sys/fs/cgroup'
/** Threads: Node's own, and one of each program. */
const MOST_THREADS = 512
/** Above what the process looks after itself, which knows whom to blame. */
const ABOVE = 1.25

/** The system may need a tenth of a second to take a process in: never more than one thread of this process waits for that. */
let turn: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work)
  turn = done.catch(() => undefined)
  return done
}

/**
 * Cgroups of a process of its own, of version 1 or 2, where this process may make some: as root, or where its own cgroup was handed over
 * to it. Elsewhere nothing is done.
 */
export function createGroups(pid: number) {
  const made: string[] = []
  let isGone = false

  /** In one of that controller, with the first of those files that there is written; false where that cannot be. */
  async function enter(controller: string, files: readonly string[], text: string): Promise<boolean> {
    const place = await placeOf(controller)
    if (place === undefined || isGone) return false
    const folder = join(place, NAME + pid)
    try {
      // Those of a platform that was killed.
      for (const name of await readdir(place)) if (name.startsWith(NAME)) await remove(join(place, name))
      await mkdir(folder, { recursive: true })
      await writeFile(await firstOf(files.map((name) => join(folder, name))), text)
      if (!isGone) await writeFile(join(folder, 'cgroup.procs'), String(pid))
      if (isGone) await remove(folder)
      else made.push(folder)
      return !isGone
    } catch {
      await remove(folder)
      return false
    }
  }

  return {
    /** Caps of the system on its memory and threads. */
    async confine(memoryMb: number): Promise<void> {
      const bytes = String(Math.round(memoryMb * ABOVE * 1_048_576))
      await inTurn(() => enter('memory', ['memory.max', 'memory.limit_in_bytes'], bytes))
      await inTurn(() => enter('pids', ['pids.max'], String(MOST_THREADS)))
    },

    /** Whatever else is in the cgroup of this process takes a processor from it at once. */
    makeIdle: (): Promise<boolean> => inTurn(() => enter('cpu', ['cpu.idle'], '1')),

    /** The process has ended. */
    gone(): void {
      isGone = true
      for (const folder of made) void remove(folder)
    }
  }
}

/** The folder of this process' own cgroup. */
async function placeOf(controller: string): Promise<string | undefined> {
  try {
    const lines = (await readFile('/proc/self/cgroup', 'utf8')).split('\n')
    const fields = lines.map((line) => line.split(':'))
    const own = fields.find(([, names]) => names?.split(',').includes(controller))
    if (own) return join(ROOT, controller, own.slice(2).join(':'))
    const unified = fields.find(([id]) => id === '0')
    return unified && join(ROOT, unified.slice(2).join(':'))
  } catch {
    return undefined
  }
}

/** Throws where there is none of them. */
async function firstOf(paths: readonly string[]): Promise<string> {
  for (const path of paths) if (await stat(path).catch(() => undefined)) return path
  throw new Error('Nothing is capped here')
}

/** Where no process is in it. */
async function remove(folder: string): Promise<void> {
  // It is in use, or was never there.
  await rmdir(folder).catch(() => undefined)
}
