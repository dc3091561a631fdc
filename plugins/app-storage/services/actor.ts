import type { Owned, Principal } from 'agent-platform'

/** The owner, as whom the platform does it: it may nothing else. */
export const actorOf = ({ project, owner }: Owned): Principal => {
  return { id: owner, type: 'user', project, owner, scopes: new Set(), narrowed: false, credential: '' }
}
