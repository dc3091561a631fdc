import type { Kernel } from 'agent-platform'
import type { AttachmentStore, Given } from '../stores/attachments.ts'

export type GivenSkills = ReturnType<typeof createGivenSkills>

const CHANGED = 'skills.given'
/** A signal may be lost. */
const BELIEVE_MS = 60_000

interface Deps extends Pick<Kernel, 'remembered'> {
  attachmentStore: AttachmentStore
}

/** The skills of agents, from memory as a rule: every step of every run asks, and most agents have none. */
export function createGivenSkills({ remembered, attachmentStore }: Deps) {
  const load = (key: string) => attachmentStore.listGiven(...(JSON.parse(key) as [string, string]))
  const known = remembered(CHANGED, load, BELIEVE_MS)
  const keyOf = (project: string, agentId: string) => JSON.stringify([project, agentId])

  return {
    /** By slug. */
    of: (project: string, agentId: string): Promise<readonly Given[]> => known.of(keyOf(project, agentId)),
    /** After the commit. */
    changed: (project: string, agentId: string): void => known.changed(keyOf(project, agentId)),
    close: () => known[Symbol.dispose]()
  }
}
