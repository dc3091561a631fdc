import type { SandboxProgram } from '../contract.ts'

/** A program that is warm in a process. */
export interface Warm {
  readonly program: SandboxProgram
  /** By which its process knows it. */
  readonly number: string
  /** The names of its functions, once they are known. */
  readonly opened: PromiseWithResolvers<readonly string[]>
  /** Its text is in the process. */
  readonly loaded: PromiseWithResolvers<void>
  isLoaded: boolean
  isOpen: boolean
  calls: number
  usedAt: number
}

/** Programs of one process: those that get calls by their id, and all that are in it by their number. */
export function createWarmPrograms(close: (number: string) => void) {
  const usable = new Map<string, Warm>()
  const all = new Map<string, Warm>()

  /** It gets no more calls, and goes when those in it have ended. */
  function evict(warm: Warm): void {
    if (usable.get(warm.program.id) === warm) usable.delete(warm.program.id)
    if (warm.calls === 0) close(warm.number)
  }

  return {
    evict,
    find: (programId: string): Warm | undefined => usable.get(programId),
    numbered: (number: string): Warm | undefined => all.get(number),
    count: () => usable.size,
    /** Those that nobody is in. */
    idle: (): readonly Warm[] => [...usable.values()].filter((warm) => warm.calls === 0),
    evictById(programId: string): void {
      const warm = usable.get(programId)
      if (warm) evict(warm)
    },
    list: (): readonly Warm[] => [...usable.values()],

    add(program: SandboxProgram, number: string): Warm {
      const opened = Promise.withResolvers<readonly string[]>()
      opened.promise.catch(() => undefined)
      const loaded = Promise.withResolvers<void>()
      const warm = {
        program,
        number,
        opened,
        loaded,
        isLoaded: false,
        isOpen: false,
        calls: 0,
        usedAt: performance.now()
      }
      usable.set(program.id, warm)
      all.set(number, warm)
      return warm
    },

    /** It is there, and has functions of these names. */
    open(number: string, functions: readonly string[]): Warm | undefined {
      const warm = all.get(number)
      if (warm) warm.isOpen = true
      warm?.opened.resolve(functions)
      return warm
    },

    /** A call of it has ended. */
    release(warm: Warm): void {
      warm.calls--
      if (usable.get(warm.program.id) !== warm) evict(warm)
    },

    /** It has gone. */
    drop(number: string): void {
      const warm = all.get(number)
      if (!warm) return
      all.delete(number)
      if (usable.get(warm.program.id) === warm) usable.delete(warm.program.id)
      warm.opened.reject(new Error('It is gone'))
    },

    dropAll(): void {
      for (const warm of all.values()) warm.opened.reject(new Error('It is gone'))
      usable.clear()
      all.clear()
    }
  }
}
