import type { Kernel } from 'agent-platform'
import type { SpaceStore } from '../stores/spaces.ts'
import type { Subject } from '../subjects.ts'
import { subjectsOfAgent } from '../subjects.ts'

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
  const load = (project: string, agentId?: string) => {
    const all = subjectsOfAgent(project, agentId ?? '')
    const subjects = all.filter(({ subjectType }) => subjectType === (agentId ? 'agent' : 'project'))
    return spaceStore.listGranted(project, subjects, MOST)
  }
  const ofAgents = remembered(
    'knowledge.agent_granted',
    async (place) => {
      const at = place.lastIndexOf('/')
      return load(place.slice(0, at), place.slice(at + 1))
    },
    BELIEVE_MS
  )
  const ofProjects = remembered('knowledge.project_granted', (project) => load(project), BELIEVE_MS)

  return {
    /** Spaces that the agent may read, oldest first; a moment old. */
    async of(project: string, agentId: string) {
      const [own, everyone] = await Promise.all([
        ofAgents.of(`${project}/${agentId}`),
        ofProjects.of(project)
      ])
      const known = new Map([...own, ...everyone].map((space) => [space.id, space]))
      return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MOST)
    },
    /** After the commit of a grant, or of the end of one. */
    changed(project: string, { subjectType, subjectId }: Subject): void {
      if (subjectType === 'agent') ofAgents.changed(`${project}/${subjectId}`)
      if (subjectType === 'project') ofProjects.changed(project)
    }
  }
}
