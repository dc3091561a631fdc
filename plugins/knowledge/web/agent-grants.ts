import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import type { Space } from './queries.ts'

type Grant = Schemas['KnowledgeGrant']

/**
 * Of the newest spaces that the caller manages, since only those tell who was granted them: which of them the agent reads, by a grant
 * of its own or of the project's, and which it could be given.
 */
export const agentGrantsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['knowledge', 'agents', agentId],
    async queryFn({ signal }) {
      const { data } = await api.get('/v1/knowledge', { params: { query: { limit: 100 } }, signal })
      const managed = data.filter(({ access }) => access === 'manage')
      const asked = await Promise.all(
        managed.map(async (space) => ({ space, grant: await grantOf(space, agentId, signal) }))
      )
      const reads = asked.flatMap(({ space, grant }) => (grant ? [{ space, grant }] : []))
      const others = asked.flatMap(({ space, grant }) => (grant?.subjectType === 'agent' ? [] : [space]))
      return { reads, others }
    }
  })

async function grantOf(space: Space, agentId: string, signal: AbortSignal): Promise<Grant | undefined> {
  const { data } = await api.get('/v1/knowledge/{spaceId}/grants', {
    params: { path: { spaceId: space.id }, query: { limit: 100 } },
    signal
  })
  const own = data.find(({ subjectType, subjectId }) => subjectType === 'agent' && subjectId === agentId)
  return own ?? data.find(({ subjectType }) => subjectType === 'project')
}
