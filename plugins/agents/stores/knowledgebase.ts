import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Knowledgebase } from '../schemas.ts'

export type KnowledgebaseStore = ReturnType<typeof createKnowledgebaseStore>

const columns = ['agentId', 'content', 'version', 'updatedAt'] as const

export function createKnowledgebaseStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (project: string, agentId: string): Promise<Knowledgebase | undefined> =>
      knex('agents.knowledgebase')
        .where({ project, agentId })
        .first(...columns),

    /** Undefined when `version` is given and no longer the current one; 0 is the one before the first. */
    async replace(
      trx: Trx,
      { version, ...key }: Owned & { agentId: string; version: number | undefined },
      content: string
    ): Promise<Knowledgebase | undefined> {
      const [row] = await trx('agents.knowledgebase')
        .insert({ ...key, content })
        .onConflict(['project', 'agentId'])
        .merge({ content, version: trx.raw('knowledgebase.version + 1'), updatedAt: trx.fn.now() })
        .modify((query) => version !== undefined && query.where('knowledgebase.version', version))
        .returning(columns)
      return version !== undefined && row && row.version !== version + 1 ? undefined : row
    },

    removeOfAgent: (trx: Trx, project: string, agentId: string): Promise<number> =>
      trx('agents.knowledgebase').where({ project, agentId }).delete()
  }
}
