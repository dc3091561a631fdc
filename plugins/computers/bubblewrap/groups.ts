import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Size } from '../provider/provider.ts'

const ROOT = '/sys/fs/cgroup'
const NAME = 'agent-platform-computer-'
const PERIOD = 100_000
/** Threads and processes: a browser has hundreds. */
const MOST_TASKS = 1_024
/** A killed process is in its cgroup until the kernel has let go of it. */
const TRIES = 50

/** Control groups of a computer. */
export interface Groups {
  /** To each of these files a process writes its id, which puts it under that cap. */
  readonly entries: readonly string[]
  readonly capped: ReadonlySet<'memory' | 'pids' | 'cpu'>
  memory(): Promise<number | undefined>
  remove(): Promise<void>
}

/** Makes them, of version 1 or 2, as far as this process may: as root, or where its own cgroup was handed over to it. */
export async function createGroups(number: number, { memoryMb, vcpu }: Size): Promise<Groups> {
  const bytes = String(Math.round(memoryMb * 1_048_576))
  const quota = Math.max(1_000, Math.round(vcpu * PERIOD))
  const wanted = [
    // Where the machine has swap, and counts it, nothing of a computer goes there.
    {
      controller: 'memory',
      v2: [
        ['memory.max', bytes],
        ['memory.swap.max', '0']
      ],
      v1: [['memory.limit_in_bytes', bytes]]
    },
    { controller: 'pids', v2: [['pids.max', String(MOST_TASKS)]], v1: [['pids.max', String(MOST_TASKS)]] },
    {
      controller: 'cpu',
      v2: [['cpu.max', `${quota} ${PERIOD}`]],
      v1: [
        ['cpu.cfs_period_us', String(PERIOD)],
        ['cpu.cfs_quota_us', String(quota)]
      ]
    }
  ] as const
  const folders = new Set<string>()
  const capped = new Set<'memory' | 'pids' | 'cpu'>()
  let memoryFile: string | undefined
  for (const { controller, v1, v2 } of wanted) {
    const place = await placeOf(controller)
    if (!place) continue
    const folder = join(place.folder, `${NAME}${process.pid}-${number}`)
    try {
      await mkdir(folder, { recursive: true })
      for (const [file, text] of place.version === 2 ? v2 : v1)
        await writeFile(join(folder, file), text).catch((error) => {
          if (file !== 'memory.swap.max') throw error
        })
      folders.add(folder)
      capped.add(controller)
      if (controller === 'memory')
        memoryFile = join(folder, place.version === 2 ? 'memory.current' : 'memory.usage_in_bytes')
    } catch {
      if (!folders.has(folder)) await rmdir(folder).catch(() => undefined)
    }
  }
  return {
    entries: [...folders].map((folder) => join(folder, 'cgroup.procs')),
    capped,
    async memory() {
      const text = memoryFile && (await readFile(memoryFile, 'utf8').catch(() => undefined))
      return text === undefined ? undefined : Number(text)
    },
    async remove() {
      for (const folder of folders) await removeFolder(folder)
    }
  }
}

/** Those of processes of the platform that are gone: nothing is in them, as computers end with their process. */
export async function removeLeftGroups(): Promise<void> {
  for (const controller of ['memory', 'pids', 'cpu']) {
    const place = await placeOf(controller)
    const names = place ? await readdir(place.folder).catch(() => []) : []
    for (const name of names) {
      const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? []
      if (place && pid && !(await stat(`/proc/${pid}`).catch(() => undefined)))
        await rmdir(join(place.folder, name)).catch(() => undefined)
    }
  }
}

async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const failed = await rmdir(folder).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code
    )
    if (failed !== 'EBUSY') return
    await delay(20)
  }
}

/** The folder of this process' own cgroup. */
async function placeOf(controller: string): Promise<{ folder: string; version: 1 | 2 } | undefined> {
  try {
    const fields = (await readFile('/proc/self/cgroup', 'utf8')).split('\n').map((line) => line.split(':'))
    const own = fields.find(([, names]) => names?.split(',').includes(controller))
    if (own) return { folder: join(ROOT, controller, own.slice(2).join(':')), version: 1 }
    const unified = fields.find(([id]) => id === '0')
    return unified && { folder: join(ROOT, unified.slice(2).join(':')), version: 2 }
  } catch {
    return undefined
  }
}
