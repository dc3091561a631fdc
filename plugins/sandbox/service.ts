import type { Kernel } from 'agent-platform'
import { canBeOffline } from 'agent-platform'
import type { Sandbox } from './contract.ts'
import { readLibrary } from './library.ts'
import type { Pool } from './pool/pool.ts'
import { createPool } from './pool/pool.ts'
import type { SandboxSettings } from './settings.ts'

interface Deps extends Pick<Kernel, 'shared' | 'log'> {
  settings: SandboxSettings
}

/** Asked for by `examine`, as no program can have a function called so. */
const NO_FUNCTION = ''
/** What is only loaded awaits nothing: the processor that it takes is limited, and a busy machine is no fault of its. */
const EXAMINED_MS = 30_000

export function createSandboxService({ shared, log, settings }: Deps): Sandbox & { open(): Promise<void> } {
  let opened: Pool | undefined
  const pool = (): Pool => {
    if (!opened) throw new Error('The sandbox was asked before it was open')
    return opened
  }

  return {
    /** Processes and calls go on in the next generation, unless the code or the settings are others. */
    async open() {
      const key = `pool/1/${import.meta.url}/${JSON.stringify(settings)}`
      opened = await shared(
        key,
        async () => {
          const [library, isOffline] = await Promise.all([readLibrary(), canBeOffline()])
          if (isOffline) log.info('processes of programs have no network')
          else
            log.warn('processes of programs share the network: this system gives none a namespace of its own')
          return createPool(library, settings)
        },
        (it) => it.close()
      )
    },

    async call(call) {
      const { answer } = await pool().ask(call)
      return answer
    },

    async examine(program, by) {
      const wallMilliseconds = Math.max(settings.wallMilliseconds, EXAMINED_MS)
      const host = async () => ({
        error: { code: 'not_here', message: 'It is examined, and called by nobody' }
      })
      const call = { program, by, fn: NO_FUNCTION, input: null, host }
      const { answer, functions } = await pool().ask(call, { ...settings, wallMilliseconds })
      if ('error' in answer && answer.error.code !== 'not_a_function') return { error: answer.error }
      return { functions: functions() ?? [] }
    },

    health: (culprit) => pool().quarantine.of(culprit),
    reset: (culprit) => pool().quarantine.reset(culprit),
    evict: (programId) => pool().evict(programId),
    readings: () => pool().readings()
  }
}
