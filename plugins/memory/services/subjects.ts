import type { Principal } from 'agent-platform'
import type { Sessions } from '../../sessions/contract.ts'

export type MemorySubjects = ReturnType<typeof createMemorySubjects>

interface Asked {
  readonly by: Principal
  /** Of the agent. */
  readonly owner: string
  /** Of the conversation, where there is one. */
  readonly sessionId?: string | undefined
}

/** Of whom an agent learns: what one user of a service says is that user's, no matter who goes on with the conversation. */
export function createMemorySubjects({ sessions }: { sessions: Sessions }) {
  /** The owner of what is learned. 404 where the conversation is gone. */
  async function ownerIn({ by, owner, sessionId }: Asked): Promise<string> {
    if (by.initiator !== undefined) return by.initiator
    // A user's conversations are its own. A service, or an agent of one, may go on with those of its users.
    if (by.type === 'user' || sessionId === undefined) return owner
    return (await sessions.owned(by, sessionId, 'read')).owner
  }

  /** The owners of what is known there: what is for all, and what is of one user. */
  const ownersIn = async (asked: Asked): Promise<readonly string[]> => [
    ...new Set([asked.owner, await ownerIn(asked)])
  ]

  return { ownerIn, ownersIn }
}
