import type { Owned, Principal } from 'agent-platform'

/** An owner, for what is cleared away after it: also while it is disabled. */
export const actingAs = ({ project, owner }: Owned): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(['agents:run']),
  narrowed: false,
  credential: ''
})

/** For what is asked of a run as it is. */
export const NOW = AbortSignal.abort()

export const isEnded = (error: unknown): boolean => {
  const { kind } = (error ?? {}) as { kind?: string }
  return kind === 'conflict' || kind === 'notFound'
}

/** Of what is gone, or has ended already: nothing. */
export function unlessGone(error: unknown): undefined {
  if (!isEnded(error)) throw error
}
