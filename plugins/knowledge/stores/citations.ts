import type { Kernel, Trx } from 'agent-platform'
import type { Citation, RunInfo } from '../../runs/contract.ts'
import type { GivenPassage } from '../contract.ts'

export type CitationStore = ReturnType<typeof createCitationStore>
export type Cited = Citation & { readonly spaceId: string }

const columns = ['n', 'spaceId', 'documentId', 'version', 'start', 'end', 'page', 'title', 'url'] as const

export function createCitationStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Those of the run; nobody else numbers passages of it until the transaction ends. */
    async lock(trx: Trx, { project, id }: Pick<RunInfo, 'project' | 'id'>): Promise<Cited[]> {
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`knowledge.citation/${id}`])
      return trx('knowledge.citation')
        .where({ project, runId: id })
        .select(...columns)
    },

    async insertAll(trx: Trx, run: RunInfo, rows: readonly Cited[]): Promise<void> {
      const { project, id: runId, agentId, sessionId } = run
      if (rows.length === 0) return
      await trx('knowledge.citation').insert(
        rows.map((row) => ({ project, runId, agentId, sessionId, ...row }))
      )
    },

    list: ({ project, id }: Pick<RunInfo, 'project' | 'id'>, numbers: readonly number[]): Promise<Cited[]> =>
      knex('knowledge.citation')
        .where({ project, runId: id })
        .whereRaw('n = any(?)', [numbers as number[]])
        .select(...columns)
        .orderBy('n'),

    listOfRuns: (trx: Trx, project: string, runIds: readonly string[]): Promise<GivenPassage[]> =>
      trx('knowledge.citation')
        .where({ project })
        .whereRaw('"runId" = any(?)', [runIds as string[]])
        .select('runId', ...columns)
        .orderBy(['runId', 'n'])
  }
}
