import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RunningWorker } from 'agent-platform'
import { processOf, serviceAccount } from 'agent-platform'
import type { Beginning } from '../wire.ts'
import { createGroups } from './cgroup.ts'

const main = new URL('../child/main.ts', import.meta.url)
const folder = fileURLToPath(new URL('..', main))
/** By which isolated-vm's loader tells the C library, and fails where it may not ask. */
const ALPINE = '/etc/alpine-release'
/** Of the process' own, which has little to do but to pass on lines. */
const HEAP_MB = 256

/** Of the scheduler: where all processors are taken, programs get about a tenth of what the platform and its database do. */
const NICENESS = 10

export interface SandboxWorker extends RunningWorker {
  /** From now on it gets of the processors what others leave. */
  giveWay(): void
}

/** Starts a process for programs: without environment, reading nothing but code, and not as root. */
export function startWorker(
  library: string,
  memoryMb: number,
  hear: (text: string) => void,
  gone: () => void
): SandboxWorker {
  let groups: ReturnType<typeof createGroups> | undefined
  const worker = processOf(main, { heapMb: HEAP_MB, code: [folder, ALPINE], flags: ['--no-node-snapshot'] })({
    answer: (text) => hear(String(text)),
    gone() {
      groups?.gone()
      gone()
    }
  })
  const { pid } = worker
  if (pid === undefined) return { ...worker, giveWay() {} }
  const own = createGroups(pid)
  groups = own
  yieldToOthers(pid)
  const beginning: Beginning = {
    library,
    memoryMb,
    ...(process.getuid?.() === 0 && { account: serviceAccount() })
  }
  // No program comes to it before it is confined.
  const begun = own.confine(memoryMb).then(() => worker.post(beginning))
  return {
    ...worker,
    post: (text) => void begun.then(() => worker.post(text)),
    giveWay: () => void own.makeIdle().then((isIdle) => isIdle || makeIdle(pid))
  }
}

/** Its threads are not there yet, and inherit it. Nothing is lost where it has ended already, or may not be asked for. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {}
}

/** The policy `SCHED_IDLE` for all of its threads, which needs no right. */
function makeIdle(pid: number): void {
  execFile('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], () => undefined)
}
