import type { Kernel, Owned, Trx } from 'agent-platform'
import { lockName, preconditionFailed } from 'agent-platform'
import type { Knowledgebase } from '../schemas.ts'

export type KnowledgebaseStore = ReturnType<typeof createKnowledgebaseStore>

const columns = ['agentId', 'owner', 'content', 'version', 'createdAt', 'updatedAt'] as const

export function createKnowledgebaseStore({ knex }: Pick<Kernel, 'knex'>) {
  const find = (project: string, agentId: string, on: Kernel['knex'] | Trx = knex) =>
    on<Knowledgebase & Owned>('agents.knowledgebase')
      .where({ project, agentId })
      .first(...columns)

  return {
    find,

    /** A text that is the same counts as no edit. 412 unless `version` is the current one; 0 is before the first. */
    async replace(
      trx: Trx,
      key: Owned & { agentId: string },
      content: string,
      version: number | undefined
    ): Promise<{ row: Knowledgebase; isChanged: boolean }> {
      const { project, agentId } = key
      // Two at once replace one after the other, the first text too.
      await lockName(trx, 'agents.knowledgebase', project, agentId)
      const row = await find(project, agentId, trx)
      if (version !== undefined && version !== (row?.version ?? 0))
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the knowledgebase and retry with its ETag.'
        )
      if (row?.content === content) return { row, isChanged: false }
      const [replaced] = await trx('agents.knowledgebase')
        .insert({ ...key, content })
        .onConflict(['project', 'agentId'])
        .merge({ content, version: trx.raw('knowledgebase.version + 1'), updatedAt: trx.fn.now() })
        .returning(columns)
      return { row: replaced, isChanged: true }
    },

    removeOfAgent: (trx: Trx, project: string, agentId: string): Promise<number> =>
      trx('agents.knowledgebase').where({ project, agentId }).delete()
  }
}
