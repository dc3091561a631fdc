import type { Session } from 'agent-platform-client'

type Branch = Pick<Session, 'id' | 'forkedFrom'>

export interface Versions {
  /** A session for each version of the message, the oldest first. */
  readonly sessionIds: readonly string[]
  /** Which one is shown. */
  readonly shown: number
}

/**
 * The versions of the message that follows another one.
 *
 * @param branches all sessions of the conversation
 * @param sessionId the session that is shown; it contains the message `after`
 * @param after the ID of the message before; null: the versions of the first message
 * @returns undefined if there is one version only
 */
export function versionsAfter(
  branches: readonly Branch[],
  sessionId: string,
  after: string | null
): Versions | undefined {
  const byId = new Map(branches.map((branch) => [branch.id, branch]))
  const forks = branches
    .filter(({ forkedFrom }) => forkedFrom && forkedFrom.messageId === after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const [oldest] = forks
  if (!oldest) return undefined
  // What is shown has one of these forks among its ancestors, or else contains the original message.
  let ancestor = byId.get(sessionId)
  while (ancestor && !forks.includes(ancestor)) ancestor = byId.get(ancestor.forkedFrom?.sessionId ?? '')
  const original = ancestor ? byId.get(oldest.forkedFrom?.sessionId ?? '')?.id : sessionId
  const sessionIds = [
    ...(original === undefined ? [] : [original]),
    ...forks.map(({ id }) => (id === ancestor?.id ? sessionId : id))
  ]
  return sessionIds.length > 1 ? { sessionIds, shown: sessionIds.indexOf(sessionId) } : undefined
}
