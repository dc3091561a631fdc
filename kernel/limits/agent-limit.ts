import { rateLimited } from '../contract/errors.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Limits } from './limits.ts'

const addressed = Symbol('agents that this request addresses')
type OfRequest = Principal & { [addressed]?: Set<string> }

/** The principal of one request: the same as the credential's, and a place to count in. */
export const forRequest = (principal: Principal): Principal => {
  const own: OfRequest = { ...principal }
  own[addressed] = undefined
  return own
}

/**
 * The principal of work that descends from a request and addresses this agent: counted as a request of its own. What
 * the first request asks about that agent afterwards, such as how the work goes, is not counted beside.
 */
export function descendant(by: Principal, agentId: string): Principal {
  const request = by as OfRequest
  if (addressed in request) {
    request[addressed] ??= new Set()
    request[addressed].add(agentId)
  }
  return forRequest(by)
}

/**
 * Counts a request that addresses an agent against that agent's limit, once however often it is asked. What is limited
 * in the same way, such as a workflow, is named by `what`.
 */
export function createAgentLimit(limits: Limits) {
  return async (by: Principal, agentId: string, what = 'agent'): Promise<void> => {
    const request = by as OfRequest
    if (!(addressed in request)) return
    request[addressed] ??= new Set()
    if (request[addressed].has(agentId)) return
    request[addressed].add(agentId)
    const bucket = limits.bucket('platform', `${by.project}/${agentId}`)
    if (bucket.take()) return
    const seconds = await bucket.lease()
    if (seconds > 0) throw rateLimited(seconds, `Rate limit of the ${what} exceeded`)
  }
}
