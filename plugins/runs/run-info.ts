import type { Principal } from 'agent-platform'
import type { RunInfo } from './contract.ts'
import type { Actor, Kept, StoredRun } from './stores/row.ts'

/** A run as contributions see it. */
export const infoOf = (
  { project, id, owner, sessionId, agentId, request }: Omit<RunInfo, 'by' | 'depth'> & { request: Kept },
  by: Principal
): RunInfo => ({ project, id, owner, sessionId, agentId, by, depth: request.depth ?? 0 })

export const actorOf = ({ id, type, initiator, scopes, narrowed }: Principal): Actor => ({
  id,
  type,
  ...(initiator !== undefined && { initiator }),
  scopes: [...scopes],
  narrowed
})

/** Who started a run, for what goes on without a request: with no credential that could be revoked or shown. */
export const principalOf = ({
  project,
  owner,
  actor
}: Pick<StoredRun, 'project' | 'owner' | 'actor'>): Principal => ({
  ...actor,
  project,
  owner,
  scopes: new Set(actor.scopes),
  credential: ''
})
