import type { Storage, StoredDocument } from 'agent-platform-app'

/** As it is kept. */
interface Kept {
  readonly title: string
  readonly reason: string
  readonly status: 'open' | 'accepted' | 'dropped'
  readonly by: string
  /** Of whom there is a vote. */
  readonly votes: readonly string[]
  readonly proposedAt: string
}

/** As one person sees it: who the others are that voted stays with the app. */
export function decisionOf(document: StoredDocument, callerId: string) {
  const { id, title, reason, status, by, votes, proposedAt } = document as StoredDocument & Kept
  const voted = votes.includes(callerId)
  return { id, title, reason, status, votes: votes.length, voted, mine: by === callerId, proposedAt }
}

/** Makes the change that is made of what is there. Where another change was faster it is made of what that left. */
export async function changed(
  storage: Storage,
  id: string,
  callerId: string,
  change: (kept: Kept) => Partial<Kept>
) {
  const collection = 'decisions'
  for (let attempt = 1; ; attempt++) {
    const document = await storage.findOne({ collection, id })
    if (!document) throw new Error('There is no such decision')
    try {
      const set = change(document as StoredDocument & Kept)
      return decisionOf(await storage.update({ collection, id, set, ifVersion: document.version }), callerId)
    } catch (error) {
      if ((error as { code?: string }).code !== 'version_conflict' || attempt === 5) throw error
    }
  }
}
