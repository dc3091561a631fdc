import type { Kernel } from 'agent-platform'
import type { Runs } from '../contract.ts'

const busyText = `select r.id from runs.run r
  where r.project = $1 and r."endedAt" is null and r."agentId" = $2 and (r.status <> 'waiting' or r."sessionId" = $3)
  limit 1`

/** Which agents have something to do. */
export function createBusyAgentStore({ hot }: Pick<Kernel, 'hot'>) {
  const findBusy: Runs['isBusy'] = async (project, agentId, sessionId) =>
    (await hot.query('runs.busy', busyText, [project, agentId, sessionId ?? null])).length > 0

  return { findBusy }
}
