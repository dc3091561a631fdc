import type { Principal } from 'agent-platform'
import { forbidden } from 'agent-platform'

/** For what holds for a whole project: a service by itself, or an administrator; 403 otherwise. */
export function admitProjectWide({ type, initiator, scopes }: Principal): void {
  if (scopes.has('platform:admin') || (type === 'service' && initiator === undefined)) return
  throw forbidden('Only a service of the project by itself or an administrator may do that', {
    code: 'not_project_wide'
  })
}
