import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Installation } from '../contract.ts'
import type { AppLog } from '../logs/app-log.ts'
import type { Asking } from './asking.ts'
import { writeConsole } from './console-calls.ts'
import type { FetchCalls } from './fetch-calls.ts'
import { placed } from './places.ts'

export type MethodCalls = ReturnType<typeof createMethodCalls>
type Call = (app: Installation, asking: Asking, method: string, params: unknown) => Promise<unknown>

interface Deps extends Pick<Kernel, 'points'> {
  fetchCalls: FetchCalls
  appLog: AppLog
}

/** What is no capability: `fetch`, the console, and what packs contribute by the word before the dot. */
export function createMethodCalls({ points, fetchCalls, appLog }: Deps) {
  const ofConsole: Call = async (app, asking, method, params) =>
    writeConsole(appLog, app, asking, method, params)
  const ofFetch: Call = (app, asking, _method, params) => fetchCalls.call(app, asking, params)
  const ofPack: Call = async (app, { by, signal }, method, params) => {
    const found = points.all('ui-plugins.methods').find(({ key }) => key === wordOf(method))
    if (found) return placed(found.value.call(app, by, method, params ?? {}, signal))
    throw unavailable(`Nothing on this platform serves ${wordOf(method)} of apps now`, {
      code: 'capability_missing'
    })
  }

  /** Undefined where it is none of these, but perhaps a capability. */
  function find(method: string): Call | undefined {
    if (method === 'fetch') return ofFetch
    const word = wordOf(method)
    if (word === 'console') return ofConsole
    if (word === 'storage' || points.all('ui-plugins.methods').some(({ key }) => key === word)) return ofPack
    return undefined
  }

  return { find }
}

const wordOf = (method: string): string => method.slice(0, Math.max(0, method.indexOf('.')))
