import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** All that a program starts, whatever process group or session it puts itself into; on Linux. */
export interface Descendants {
  /** The file that a process writes its id to, so that its descendants cannot get away; empty where there is none. */
  readonly procs: string
  /** Notes those of that process, while it is there to tell by. */
  note(pid: number): Promise<void>
  kill(): Promise<void>
}

interface Process {
  readonly pid: number
  readonly parent: number
  /** With its id it is of one process alone. */
  readonly startedAt: string
}

/** A process may start another one while all are looked at. */
const PASSES = 3
/** How long the kernel may take to end what was killed. */
const END_MS = 1_000
const POLL_MS = 20

/**
 * By a control group where one may be made (cgroup v2, delegated to the platform): nothing leaves it unseen. Elsewhere
 * they are those whose parents were known, and those that have the variable in their environment.
 */
export async function createDescendants(name: string, variable: string): Promise<Descendants> {
  const group = await createGroup(name)
  const noted = new Map<number, string>()
  return {
    procs: group === undefined ? '' : join(group, 'cgroup.procs'),
    async note(pid) {
      if (group !== undefined) return
      const all = await processes()
      const known = new Set([pid])
      // A parent may stand behind its children.
      for (let size = 0; size < known.size; ) {
        size = known.size
        for (const it of all) if (known.has(it.parent)) known.add(it.pid)
      }
      for (const it of all) if (known.has(it.pid)) noted.set(it.pid, it.startedAt)
    },
    async kill() {
      if (group !== undefined) await removeGroup(group)
      for (const { pid, startedAt } of noted.size > 0 ? await processes() : [])
        if (noted.get(pid) === startedAt) signal(pid)
      await killMarked(variable)
    }
  }
}

async function createGroup(name: string): Promise<string | undefined> {
  try {
    const mount = /^\S+ (\S+) cgroup2 /m.exec(await readFile('/proc/self/mounts', 'utf8'))?.[1]
    const own = /^0::(.+)$/m.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1]
    if (mount === undefined || own === undefined) return undefined
    const group = join(mount, own, name)
    await mkdir(group)
    return group
  } catch {
    // It is not the platform's to divide.
    return undefined
  }
}

/** With all that is in it. */
async function removeGroup(group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.kill'), '1').catch(() => undefined)
  for (const until = performance.now() + END_MS; performance.now() < until; await delay(POLL_MS)) {
    const isGone = await rmdir(group).then(
      () => true,
      ({ code }) => code === 'ENOENT'
    )
    if (isGone) return
    // Kernels before 5.14 end none by themselves.
    const inside = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '')
    for (const pid of inside.split('\n').filter(Boolean)) signal(Number(pid))
  }
}

async function processes(): Promise<Process[]> {
  const all = await Promise.all(
    (await pids()).map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  )
  return all.flatMap((stat) => {
    // The name, in brackets, may hold anything.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return stat === ''
      ? []
      : [{ pid: Number.parseInt(stat, 10), parent: Number(parent), startedAt: rest[17] ?? '' }]
  })
}

async function killMarked(variable: string): Promise<void> {
  for (let pass = 0; pass < PASSES; pass++) {
    const all = await pids()
    const marked = await Promise.all(all.map((pid) => isMarked(pid, variable)))
    const found = all.filter((_, at) => marked[at])
    if (found.length === 0) return
    for (const pid of found) signal(Number(pid))
  }
}

/** Of another user's processes it cannot be told; they are none of ours. */
async function isMarked(pid: string, variable: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  return environment.split('\0').includes(variable)
}

const pids = async () => (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
