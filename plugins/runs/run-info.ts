import type { Principal } from 'agent-platform'
import { readTraceparent, spanIdOf, traceIdOf } from 'agent-platform'
import type { RunInfo } from './contract.ts'
import type { Actor, Kept, StoredRun } from './stores/row.ts'

/** A run as contributions see it. */
export const infoOf = (
  { project, id, owner, sessionId, agentId, request }: Omit<RunInfo, 'by' | 'depth'> & { request: Kept },
  by: Principal
): RunInfo => ({ project, id, owner, sessionId, agentId, by, depth: request.depth ?? 0 })

/** The `traceparent` of what a call of a run has done elsewhere. */
export function traceparentOf({ id, request }: Pick<StoredRun, 'id' | 'request'>, callId: string): string {
  const traceId = readTraceparent(request.traceparent)?.traceId ?? traceIdOf(request.root ?? id)
  return `00-${traceId}-${spanIdOf(callId)}-01`
}

export const actorOf = ({ id, type, initiator, scopes, narrowed, attenuation }: Principal): Actor => ({
  id,
  type,
  ...(initiator !== undefined && { initiator }),
  scopes: [...scopes],
  narrowed,
  ...(attenuation && { attenuation })
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
