import type { Kernel, Trx } from 'agent-platform'
import type { Link } from '../text/links.ts'
import type { Place } from './documents.ts'

export type LinkStore = ReturnType<typeof createLinkStore>

export interface StoredLink extends Link {
  readonly fromId: string
  readonly ordinal: number
  /** The last segment of the target. */
  readonly key: string
  readonly toId: string | null
}
/** A document that has a name that a link names. */
export interface Candidate {
  readonly key: string
  readonly rank: number
  readonly documentId: string
  readonly path: string
}

const columns = [
  'fromId',
  'ordinal',
  'kind',
  'target',
  'key',
  'heading',
  'label',
  'start',
  'end',
  'toId'
] as const
const BATCH = 2_000

export function createLinkStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    listCandidates: async (
      trx: Trx,
      { project, spaceId }: Place,
      keys: readonly string[]
    ): Promise<Candidate[]> => {
      const { rows } = await trx.raw(
        `select n.key, n.rank, n."documentId", d.path from knowledge.known_name n
          join knowledge.document d on d.project = n.project and d.id = n."documentId"
          where n.project = ? and n."spaceId" = ? and n.key = any(?)`,
        [project, spaceId, keys as string[]]
      )
      return rows
    },

    listOf: (trx: Trx, project: string, documentIds: readonly string[]): Promise<StoredLink[]> =>
      trx('knowledge.link')
        .where({ project })
        .whereRaw('"fromId" = any(?)', [documentIds as string[]])
        .select(...columns),

    /** Links that lead nowhere, by these keys or by any, with where they stand; at most so many. */
    listDangling: async (
      trx: Trx,
      { project, spaceId }: Place,
      keys: readonly string[] | undefined,
      limit: number
    ): Promise<(StoredLink & { path: string })[]> => {
      const { rows } = await trx.raw(
        `select l.*, d.path from knowledge.link l
          join knowledge.document d on d.project = l.project and d.id = l."fromId"
          where l.project = :project and l."spaceId" = :spaceId and l."toId" is null
            ${keys ? 'and l.key = any(:keys)' : ''} order by l."fromId", l.ordinal limit :limit`,
        { project, spaceId, limit, keys: (keys ?? []) as string[] }
      )
      return rows
    },

    async replaceAll(
      trx: Trx,
      at: Place,
      documentIds: readonly string[],
      links: readonly StoredLink[]
    ): Promise<void> {
      await trx('knowledge.link')
        .where({ project: at.project })
        .whereRaw('"fromId" = any(?)', [documentIds as string[]])
        .delete()
      for (let from = 0; from < links.length; from += BATCH)
        await trx('knowledge.link').insert(
          links.slice(from, from + BATCH).map((link) => ({ ...at, ...link }))
        )
    },

    async updateTargets(
      trx: Trx,
      project: string,
      found: readonly Pick<StoredLink, 'fromId' | 'ordinal' | 'toId'>[]
    ): Promise<void> {
      await trx.raw(
        `update knowledge.link l set "toId" = f."toId"
          from jsonb_to_recordset(?::jsonb) as f("fromId" text, ordinal integer, "toId" text)
          where l.project = ? and l."fromId" = f."fromId" and l.ordinal = f.ordinal`,
        [JSON.stringify(found), project]
      )
    },

    /** The names of documents from now on: what they were called before they are still found by. */
    async replaceNames(
      trx: Trx,
      { project, spaceId }: Place,
      names: readonly { documentId: string; key: string; rank: number }[],
      /** Kinds of names that are given; others stay. */
      ranks: readonly number[]
    ): Promise<void> {
      const all = {
        project,
        spaceId,
        ids: [...new Set(names.map(({ documentId }) => documentId))],
        ranks: ranks as number[]
      }
      await trx.raw(
        `update knowledge.known_name set rank = 3
          where project = :project and "documentId" = any(:ids) and rank = any(:ranks)`,
        all
      )
      await trx.raw(
        `insert into knowledge.known_name (project, "spaceId", key, "documentId", rank)
          select :project, :spaceId, n.key, n."documentId", min(n.rank)
          from jsonb_to_recordset(:names::jsonb) as n("documentId" text, key text, rank smallint)
          group by n.key, n."documentId"
          on conflict (project, "spaceId", key, "documentId") do update set rank = least(knowledge.known_name.rank, excluded.rank)`,
        { ...all, names: JSON.stringify(names) }
      )
    },

    /** Of documents that are gone: what led there leads nowhere. The keys that they had. */
    async removeOf(trx: Trx, project: string, ids: readonly string[]): Promise<string[]> {
      const all = { project, ids: ids as string[] }
      await trx.raw('delete from knowledge.link where project = :project and "fromId" = any(:ids)', all)
      await trx.raw(
        'update knowledge.link set "toId" = null where project = :project and "toId" = any(:ids)',
        all
      )
      const { rows } = await trx.raw(
        'delete from knowledge.known_name where project = :project and "documentId" = any(:ids) returning key',
        all
      )
      return [...new Set<string>(rows.map(({ key }: { key: string }) => key))]
    },

    /** Documents of a graph, the newest first: all, or one and those that it is linked with. */
    async listNodes({ project, spaceId }: Place, limit: number, documentId?: string) {
      const { rows } = await knex.raw(
        `select d.id, d.title, d.path, d.tags from knowledge.document d
          where d.project = :project and d."spaceId" = :spaceId ${
            documentId === undefined
              ? ''
              : `and (d.id = :documentId
                or d.id in (select "toId" from knowledge.link where project = :project and "fromId" = :documentId)
                or d.id in (select "fromId" from knowledge.link where project = :project and "toId" = :documentId))`
          } order by d.id desc limit :limit`,
        { project, spaceId, limit, documentId: documentId ?? '' }
      )
      return rows as { id: string; title: string; path: string; tags: string[] }[]
    },

    async listEdges({ project }: Place, ids: readonly string[], limit: number) {
      const { rows } = await knex.raw(
        `select "fromId", "toId", count(*)::int as count from knowledge.link
          where project = ? and "fromId" = any(?) and "toId" = any(?)
          group by "fromId", "toId" order by "fromId", "toId" limit ?`,
        [project, ids as string[], ids as string[], limit]
      )
      return rows as { fromId: string; toId: string; count: number }[]
    },

    async listUnresolved({ project }: Place, ids: readonly string[], limit: number) {
      const { rows } = await knex.raw(
        `select "fromId" as "documentId", target, min(label) as label, count(*)::int as count
          from knowledge.link where project = ? and "fromId" = any(?) and "toId" is null
          group by "fromId", target order by "fromId", target limit ?`,
        [project, ids as string[], limit]
      )
      return rows as { documentId: string; target: string; label: string; count: number }[]
    }
  }
}
