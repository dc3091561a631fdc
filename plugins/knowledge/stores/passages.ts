import type { Kernel, Trx } from 'agent-platform'
import type { StoredDocument } from '../schemas/documents.ts'
import type { Place } from './documents.ts'

export type PassageStore = ReturnType<typeof createPassageStore>

export interface StoredPassage {
  readonly id: string
  readonly documentId: string
  readonly version: number
  readonly ordinal: number
  readonly heading: string | null
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly text: string
}
/** A passage with what its document is called now. */
export interface FoundPassage extends StoredPassage {
  readonly spaceId: string
  readonly title: string
  readonly path: string
}

export function createPassageStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async insertAll(trx: Trx, at: Place & { owner: string }, rows: readonly StoredPassage[]): Promise<void> {
      if (rows.length > 0) await trx('knowledge.passage').insert(rows.map((row) => ({ ...at, ...row })))
    },

    /** How many of that version are there. */
    count: async (trx: Trx, { project, id, version }: Pick<StoredDocument, 'project' | 'id' | 'version'>) =>
      Number(
        (await trx('knowledge.passage').where({ project, documentId: id, version }).count({ count: '*' }))[0]
          ?.count
      ),

    listIds: (project: string, documentId: string, version: number, limit: number): Promise<string[]> =>
      knex('knowledge.passage').where({ project, documentId, version }).limit(limit).pluck('id'),

    /** Of all of a project those behind that id, in their order, which nobody changes before the transaction ends. */
    async listAfter(trx: Trx, project: string, after: string, limit: number) {
      const rows: (StoredPassage & { owner: string; spaceId: string; title: string })[] = await trx(
        'knowledge.passage as p'
      )
        .join('knowledge.document as d', (on) => on.on('d.project', 'p.project').on('d.id', 'p.documentId'))
        .where('p.project', project)
        .where('p.id', '>', after)
        .orderBy('p.id')
        .limit(limit)
        .forShare('p')
        .select('p.*', 'd.title')
      return rows
    },

    /** Of these documents, but for those of the version that a document is to keep; their ids. */
    async removeOf(
      trx: Trx,
      project: string,
      documentIds: readonly string[],
      keep: Readonly<Record<string, number>> = {}
    ): Promise<string[]> {
      const { rows } = await trx.raw(
        `delete from knowledge.passage where project = ? and "documentId" = any(?)
          and version is distinct from (?::jsonb ->> "documentId")::integer returning id`,
        [project, documentIds as string[], JSON.stringify(keep)]
      )
      return rows.map(({ id }: { id: string }) => id)
    },

    /** By their words alone, the best first, as far as no index is needed for it. */
    async listMatching(project: string, spaceIds: readonly string[], query: string, limit: number) {
      const { rows } = await knex.raw(
        `select id, rank / (1 + rank) as score from (
            select p.id, ts_rank_cd(to_tsvector('english', p.text), q.query) as rank
            from knowledge.passage p,
              (select replace(plainto_tsquery('english', ?)::text, ' & ', ' | ')::tsquery as query) q
            where p.project = ? and p."spaceId" = any(?) and to_tsvector('english', p.text) @@ q.query) ranked
          order by rank desc, id limit ?`,
        [query, project, spaceIds as string[], limit]
      )
      return rows as { id: string; score: number }[]
    },

    /** Those of these that are still there, with the places of words that a query names, marked as `mark` says. */
    async listFound(
      project: string,
      ids: readonly string[],
      query: string,
      { open, close }: { open: string; close: string }
    ): Promise<(FoundPassage & { marked: string })[]> {
      const { rows } = await knex.raw(
        `select p.id, p."spaceId", p."documentId", p.version, p.ordinal, p.heading, p."start", p."end", p.page, p.text,
            d.title, d.path, ts_headline('english', translate(p.text, :open || :close, '  '),
            replace(plainto_tsquery('english', :query)::text, ' & ', ' | ')::tsquery,
            'HighlightAll=true, StartSel=' || :open || ', StopSel=' || :close) as marked
          from knowledge.passage p
          join knowledge.document d on d.project = p.project and d.id = p."documentId"
          where p.project = :project and p.id = any(:ids)`,
        { project, ids: ids as string[], query, open, close }
      )
      return rows
    }
  }
}
