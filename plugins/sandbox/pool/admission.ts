import type { SandboxCall, SandboxLimits } from '../contract.ts'
import type { SandboxSettings } from '../settings.ts'

/** Of what an owner may have, so much may a project. */
const PROJECT_SHARE = 4
/** Less than that no heap can be. */
const LEAST_HEAP = 16

/** Who has how many calls under way. */
export function createAdmission(ofOwner: number) {
  const inside = new Map<string, number>()
  let count = 0
  let whenEmpty: (() => void) | undefined

  const of = (key: string) => inside.get(key) ?? 0
  function add(key: string, by: 1 | -1): void {
    const now = of(key) + by
    if (now === 0) inside.delete(key)
    else inside.set(key, now)
  }
  function change({ project, owner }: SandboxCall['by'], by: 1 | -1): void {
    count += by
    add(project, by)
    add(`${project}/${owner}`, by)
    if (count === 0) whenEmpty?.()
  }

  return {
    isClosed: () => whenEmpty !== undefined,

    /** Whether there is room for one more, which leaves by `leave`. */
    enter(by: SandboxCall['by']): boolean {
      const { project, owner } = by
      if (whenEmpty || of(project) >= ofOwner * PROJECT_SHARE || of(`${project}/${owner}`) >= ofOwner)
        return false
      change(by, 1)
      return true
    },
    leave: (by: SandboxCall['by']) => change(by, -1),

    /** Lets nobody in any more; resolves when all have left. */
    close(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      whenEmpty = resolve
      if (count === 0) resolve()
      return promise
    }
  }
}

export function limitsOf(asked: Partial<SandboxLimits> = {}, settings: SandboxSettings): SandboxLimits {
  const least = (given: number | undefined, most: number) => Math.min(given ?? most, most)
  return {
    cpuMs: least(asked.cpuMs, settings.cpuMilliseconds),
    wallMs: least(asked.wallMs, settings.wallMilliseconds),
    memoryMb: Math.max(LEAST_HEAP, least(asked.memoryMb, settings.heapMegabytes)),
    pending: least(asked.pending, settings.pending),
    messageSize: least(asked.messageSize, settings.messageSize),
    logLines: least(asked.logLines, settings.logLines)
  }
}
