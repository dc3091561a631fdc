import type { Fragment, Kernel } from 'agent-platform'
import { single } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Profile } from '../contract.ts'
import { agents } from '../schemas.ts'
import type { AgentRow } from './agents.ts'

export type ProfileStore = ReturnType<typeof createProfileStore>

const list = agents.columns.map((column) => `a."${column}"`).join(', ')
const stamp = `a.version || '.' || coalesce(k.version, 0)`

const findText = `select ${list}, k.content as knowledgebase, ${stamp} as stamp
  from agents.agent a left join agents.knowledgebase k on k.project = a.project and k."agentId" = a.id
  where a.id = $1 and a."deletedAt" is null`
// By id alone: a plan made while the table is small would go through all agents of a project. No principal crosses projects.
const stampsText = `select a.id as agent, ${stamp} as stamp
  from unnest($1::text[], $2::text[]) as c(project, id)
  join agents.agent a on a.id = c.id and a.project || '' = c.project and a."deletedAt" is null
  left join agents.knowledgebase k on k.project = a.project and k."agentId" = a.id`
const stampText = `select a.id as agent, ${stamp} as stamp
  from agents.agent a left join agents.knowledgebase k on k.project = a.project and k."agentId" = a.id
  where a.id = $2 and a.project || '' = $1 and a."deletedAt" is null`

interface Row extends AgentRow {
  readonly knowledgebase: string | null
  readonly stamp: string
}

/** Agents with their always-on context, remembered by id. */
export function createProfileStore({ hot }: Pick<Kernel, 'hot'>) {
  const remembered = new LRUCache<string, Profile>({ max: 10_000, maxSize: 64_000_000 })

  return {
    /** What is remembered, which may be a moment old. */
    take: (id: string): Profile | undefined => remembered.get(id),

    async find(id: string): Promise<Profile | undefined> {
      const [row] = await hot.query<Row>('agents.profile', findText, [id])
      if (!row) {
        remembered.delete(id)
        return undefined
      }
      const { knowledgebase, stamp, ...agent } = row
      const profile = { agent, knowledgebase: knowledgebase ?? '', stamp }
      const size = 1_000 + profile.knowledgebase.length + (agent.instructions?.length ?? 0)
      remembered.set(id, profile, { size })
      return profile
    },

    listStamps(agents: readonly { project: string; agentId: string }[]): Fragment {
      const distinct = [...new Map(agents.map((agent) => [agent.agentId, agent])).values()]
      const one = single(distinct)
      if (one) return { text: stampText, values: [one.project, one.agentId] }
      return {
        text: stampsText,
        values: [distinct.map(({ project }) => project), distinct.map(({ agentId }) => agentId)]
      }
    }
  }
}
