import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Skill = Schemas['Skill']

/** Queries of skills: by `['skills']` all of them are read anew. */
export const skillQuery = (id: string) =>
  queryOptions({
    queryKey: ['skills', id],
    async queryFn({ signal }) {
      const params = { path: { id }, query: { format: 'json' } } as const
      const reply = await api.get('/v1/skills/{id}', { params, signal })
      return (reply as { data: Skill }).data
    }
  })

export const allSkillsQuery = queryOptions({
  queryKey: ['skills', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/skills', { params: { query: { limit: 100 } }, signal }))
})

export const agentSkillsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['skills', 'agents', agentId],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/skills/agents/{agentId}', {
          params: { path: { agentId }, query: { limit: 100 } },
          signal
        })
      )
  })

/** Agents that have a skill. */
export const skillAgentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['skills', 'agents', 'of', id],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/skills/{id}/agents', { params: { path: { id }, query: { limit: 100 } }, signal })
      )
  })

/** Gives a skill to an agent, or takes it away. */
export const attach = (id: string, agentId: string, attached: boolean) =>
  api.put('/v1/skills/{id}/agents/{agentId}', { params: { path: { id, agentId } }, body: { attached } })

/** The archive of a skill, as a download. */
export async function download({ id, slug }: Skill): Promise<void> {
  const params = { path: { id }, query: { format: 'zip' } } as const
  const archive = (await api.get('/v1/skills/{id}', { params })) as unknown as Blob
  const url = URL.createObjectURL(archive)
  const link = Object.assign(document.createElement('a'), { href: url, download: `${slug}.zip` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
