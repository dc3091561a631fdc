import { createContext, Script } from 'node:vm'

const context = createContext({ work: undefined })
const script = new Script('work()')

/**
 * What the work gives, or an error when it takes longer: patterns and schemas of strangers may never end. The one
 * thing that stops a regular expression in the middle is V8's own clock.
 */
export function within<T>(milliseconds: number, work: () => T): T {
  context.work = work
  try {
    return script.runInContext(context, { timeout: milliseconds })
  } finally {
    context.work = undefined
  }
}
