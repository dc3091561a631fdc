import type { Kernel, Trx } from 'agent-platform'
import type { AgentMemorySettings } from '../schemas/agent-settings.ts'
import { memories } from '../schemas/memories.ts'
import { scopes } from '../schemas/scopes.ts'

export type AgentStore = ReturnType<typeof createAgentStore>
type Kept = Omit<AgentMemorySettings, 'agentId'>

const table = 'memory.agent'
const extractions = 'memory.extraction'
const columns = ['contextTokens', 'extraction', 'version', 'updatedAt']

/** What is kept of agents beside what they remember. */
export function createAgentStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (project: string, agentId: string): Promise<Kept | undefined> =>
      knex(table).where({ project, agentId }).first(columns),

    lock: (trx: Trx, project: string, agentId: string): Promise<Kept | undefined> =>
      trx(table).where({ project, agentId }).forUpdate().first(columns),

    /** Of these agents, of any projects, those whose runs memories are extracted from. */
    listExtracting: (trx: Trx, agentIds: readonly string[]): Promise<string[]> =>
      trx(table).where({ extraction: true }).whereIn('agentId', agentIds).pluck('agentId'),

    async replace(
      trx: Trx,
      project: string,
      agentId: string,
      settings: Omit<Kept, 'updatedAt'>
    ): Promise<Kept> {
      const [row] = await trx(table)
        .insert({ project, agentId, ...settings })
        .onConflict(['project', 'agentId'])
        .merge({ ...settings, updatedAt: trx.fn.now() })
        .returning(columns)
      return row
    },

    /** Whether it may have something to remember: a memory of its own, or a scope that it is in. */
    async findAny(project: string, agentId: string): Promise<boolean> {
      const own = knex(memories.name).where({ project, agentId }).select(knex.raw('1'))
      const shared = knex(scopes.name)
        .where({ project })
        .whereRaw('agents @> ?::jsonb', [JSON.stringify([{ agentId }])])
        .select(knex.raw('1'))
      const { rows } = await knex.raw('select exists (?) or exists (?) as any', [own, shared])
      return rows[0].any
    },

    /** Its settings, and up to so many runs that memories were extracted from. */
    async removeOfAgent({ project, id: agentId }: { project: string; id: string }, trx: Trx, limit: number) {
      const runIds = trx(extractions).where({ project, agentId }).limit(limit).select('runId')
      const runs = await trx(extractions).where({ project }).whereIn('runId', runIds).delete()
      return runs + (await trx(table).where({ project, agentId }).delete())
    },

    /** False where memories were extracted from that run before. */
    async takeRun(trx: Trx, project: string, agentId: string, runId: string): Promise<boolean> {
      const rows = await trx(extractions)
        .insert({ project, agentId, runId })
        .onConflict(['project', 'runId'])
        .ignore()
        .returning('runId')
      return rows.length > 0
    }
  }
}
