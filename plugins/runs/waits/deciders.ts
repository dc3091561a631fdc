import type { Principal } from 'agent-platform'
import { forbidden } from 'agent-platform'

/** What a model asks for is not for a model to allow or to answer; for packs, whose callers no route of runs has asked. */
function refuse({ type, scopes }: Principal, needed: readonly string[]): void {
  if (type === 'agent') throw forbidden('Agents neither approve nor answer', { code: 'not_for_agents' })
  if (!needed.some((scope) => scopes.has(scope)))
    throw forbidden(`The credential lacks the scope ${needed.join(' or ')}`, { code: 'scope_missing' })
}

/** 403 unless the principal may approve calls: the right to run an agent is no right to approve what it does. */
export const refuseDecider = (by: Principal) => refuse(by, ['agents:write'])
/** 403 unless the principal may answer what tools ask. */
export const refuseAnswerer = (by: Principal) => refuse(by, ['agents:write', 'agents:run'])
