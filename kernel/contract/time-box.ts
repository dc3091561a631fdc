import { createContext, Script } from 'node:vm'

const context = createContext({ work: undefined })
const script = new Script('work()')

const TRIES = 5
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * What the work gives, or an error when it takes longer: what runs on patterns and schemas of strangers may never end.
 * The one thing that stops a regular expression in the middle is V8's own clock. That one goes on while the machine
 * gives its time to others, so work that had no turn is begun again, with what is left of its time.
 */
export function timeBoxed<T>(milliseconds: number, work: () => T): T {
  const begun = cpuMs()
  for (let tries = 1; ; tries++) {
    const left = Math.ceil(milliseconds - (cpuMs() - begun))
    try {
      return once(Math.max(left, 1), work)
    } catch (error) {
      if (!isTimeOver(error) || tries === TRIES || cpuMs() - begun > milliseconds / 2) throw error
    }
  }
}

function once<T>(timeout: number, work: () => T): T {
  context.work = work
  try {
    return script.runInContext(context, { timeout })
  } finally {
    context.work = undefined
  }
}

export const isTimeOver = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
