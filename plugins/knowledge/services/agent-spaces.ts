import type { Kernel, Subject } from 'agent-platform'
import type { SpaceStore } from '../stores/spaces.ts'

export type AgentSpaces = ReturnType<typeof createAgentSpaces>

interface Deps extends Pick<Kernel, 'remembered'> {
  spaceStore: SpaceStore
}

/** Spaces of one agent that its prompt names and that it searches. */
const MOST = 100
/** For so long a change that was not heard of may show in a prompt. */
const BELIEVE_MS = 30_000

/** What agents were granted, from memory: asked before each step of a run. A search asks the record. */
export function createAgentSpaces({ remembered, spaceStore }: Deps) {
  /** As it is now, oldest first. */
  const granted = (project: string, agentId: string) =>
    spaceStore.listGranted(project, [{ subjectType: 'agent', subjectId: agentId }], MOST)

  const known = remembered(
    'knowledge.agent_granted',
    (place) => {
      const at = place.lastIndexOf('/')
      return granted(place.slice(0, at), place.slice(at + 1))
    },
    BELIEVE_MS
  )

  return {
    granted,
    /** The same, a moment old. */
    of: (project: string, agentId: string) => known.of(`${project}/${agentId}`),
    /** After the commit of a grant, or of the end of one. */
    changed(project: string, { subjectType, subjectId }: Subject): void {
      if (subjectType === 'agent') known.changed(`${project}/${subjectId}`)
    }
  }
}
