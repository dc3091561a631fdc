import type { Kernel, Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { Runs } from '../contract.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Descents } from './descents.ts'
import type { StartRun } from './start-run.ts'

interface Deps extends Pick<Kernel, 'limits'> {
  startRun: StartRun
  descents: Descents
  runStore: RunStore
}

/** Runs that other packs begin. */
export function createStarts({ limits, startRun, descents, runStore }: Deps) {
  const start: Runs['start'] = async (by: Principal, { key, depth = 0, parent, ...request }) => {
    // No route has asked for it.
    if (!by.scopes.has('agents:run'))
      throw forbidden('The credential lacks the scope agents:run', { code: 'scope_missing' })
    const root = parent === undefined ? undefined : await descents.rootOf(by, parent)
    const { run, live } = await startRun(
      depth > 0 ? limits.descendant(by, request.agentId) : by,
      request,
      key,
      { depth, ...(root !== undefined && { root }) }
    )
    const begun = live?.run ?? (await runStore.find(run.id))
    if (!begun) throw notFound('Run')
    return { id: run.id, sessionId: begun.sessionId }
  }

  return { start }
}
