import type { Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { Runs } from '../contract.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Admission } from './admission.ts'

interface Deps {
  admission: Admission
  runStore: RunStore
}

/** Runs that other packs begin. */
export function createStarts({ admission, runStore }: Deps) {
  const start: Runs['start'] = async (by: Principal, { key, depth = 0, ...request }) => {
    // No route has asked for it.
    if (!by.scopes.has('agents:run'))
      throw forbidden('The credential lacks the scope agents:run', { code: 'scope_missing' })
    const { run, live } = await admission.admit(by, request, key, depth)
    const begun = live?.run ?? (await runStore.find(run.id))
    if (!begun) throw notFound('Run')
    return { runId: run.id, sessionId: begun.sessionId }
  }

  return { start }
}
