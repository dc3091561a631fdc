import type { Kernel, PageOf, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { DocumentQuery, StoredDocument } from '../schemas/documents.ts'
import { documents } from '../schemas/documents.ts'

export type DocumentStore = ReturnType<typeof createDocumentStore>
export interface Place {
  readonly project: string
  readonly spaceId: string
}
export type Revision = Pick<
  StoredDocument,
  | 'project'
  | 'spaceId'
  | 'folderId'
  | 'name'
  | 'title'
  | 'path'
  | 'mediaType'
  | 'fileId'
  | 'hash'
  | 'size'
  | 'tags'
  | 'version'
> & { documentId: string; by: string; createdAt: string }
/** What lies once in a space, under its hash; `pages` is where each begins, in formats that have pages. */
export interface Text {
  readonly text: string
  readonly pages?: readonly number[] | null
}
export type NewStoredDocument = Omit<StoredDocument, 'version' | 'createdAt' | 'updatedAt'> & {
  version?: number
}
/** What a document was before. */
export type PastDocument = Omit<Revision, 'by'>

export function createDocumentStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    list(
      { project, spaceId }: Place,
      { folderId, tag, path, status, ...page }: DocumentQuery
    ): Promise<PageOf<StoredDocument>> {
      const query = knex(documents.name)
        .where({ project, spaceId, ...(path !== undefined && { path }), ...(status && { status }) })
        .select(...documents.columns)
      if (folderId !== undefined) query.where({ folderId: folderId === 'root' ? null : folderId })
      if (tag !== undefined) query.whereRaw('? = any(tags)', [tag.toLowerCase()])
      return paginate<StoredDocument>(query, page, 'document')
    },

    count: async (trx: Trx, { project, spaceId }: Place): Promise<number> =>
      Number((await trx(documents.name).where({ project, spaceId }).count({ count: '*' }))[0]?.count),

    /** At these paths, in whatever case. */
    listAt: (trx: Trx, { project, spaceId }: Place, paths: readonly string[]): Promise<StoredDocument[]> =>
      trx(documents.name)
        .where({ project, spaceId })
        .whereRaw('lower(path) = any(?)', [paths.map((path) => path.toLowerCase())])
        .select(...documents.columns),

    listIn: (
      trx: Trx,
      { project, spaceId }: Place,
      folderIds: readonly string[]
    ): Promise<{ id: string }[]> =>
      trx(documents.name)
        .where({ project, spaceId })
        .whereRaw('"folderId" = any(?)', [folderIds as string[]])
        .select('id'),

    /** What became of a version whose text was read later; nothing where there is another text by now. */
    updateStatus: (
      on: Trx | undefined,
      { project, id, hash }: Pick<StoredDocument, 'project' | 'id' | 'hash'>,
      { error, ...state }: Partial<Pick<StoredDocument, 'status' | 'progress' | 'error' | 'tags'>>
    ): Promise<number> =>
      (on ?? knex)(documents.name)
        .where({ project, id, hash })
        .update({ ...state, ...(error !== undefined && { error: error && JSON.stringify(error) }) }),

    async updateTags(
      trx: Trx,
      { project, id, version }: StoredDocument,
      tags: readonly string[]
    ): Promise<void> {
      await trx('knowledge.revision').where({ project, documentId: id, version }).update({ tags })
    },

    insertAll: (trx: Trx, rows: readonly NewStoredDocument[]): Promise<StoredDocument[]> =>
      trx(documents.name)
        .insert(rows.map((row) => ({ ...row, error: row.error && JSON.stringify(row.error) })))
        .returning([...documents.columns]),

    async insertRevisions(trx: Trx, by: string, rows: readonly StoredDocument[]): Promise<void> {
      await trx('knowledge.revision').insert(
        rows.map(({ id: documentId, project, spaceId, folderId, name, title, path, mediaType, ...row }) => ({
          documentId,
          project,
          spaceId,
          folderId,
          name,
          title,
          path,
          mediaType,
          by,
          fileId: row.fileId,
          hash: row.hash,
          size: row.size,
          tags: row.tags,
          version: row.version
        }))
      )
    },

    insertPast: (trx: Trx, by: string, past: PastDocument): Promise<unknown> =>
      trx('knowledge.revision').insert({ ...past, by }),

    /** What the document was after that version and before it became what it is, the oldest first. */
    listPast: (document: StoredDocument, after: number, limit: number): Promise<Revision[]> => {
      const { project, id: documentId, version } = document
      return knex('knowledge.revision')
        .where({ project, documentId })
        .where('version', '>', after)
        .where('version', '<', version)
        .orderBy('version')
        .limit(limit)
    },

    /** Texts that the space has already stay as they are, but for pages that were not known. */
    async insertTexts(
      trx: Trx,
      { project, spaceId }: Place,
      texts: readonly (Text & { hash: string })[]
    ): Promise<void> {
      const rows = new Map(
        texts.map(({ hash, text, pages = null }) => [hash, { project, spaceId, hash, text, pages }])
      )
      await trx('knowledge.content')
        .insert([...rows.values()])
        .onConflict(['project', 'spaceId', 'hash'])
        .merge(['pages'])
        .whereRaw('excluded.pages is not null and content.pages is null')
    },

    findText: ({ project, spaceId }: Place, hash: string): Promise<Text | undefined> =>
      knex('knowledge.content').where({ project, spaceId, hash }).first('text', 'pages'),

    findRevision: (project: string, documentId: string, version: number): Promise<Revision | undefined> =>
      knex('knowledge.revision').where({ project, documentId, version }).first(),

    findDeleted: async ({ project, spaceId }: Place, documentId: string): Promise<boolean> =>
      (await knex('knowledge.deleted_document')
        .where({ project, spaceId, documentId })
        .first('documentId')) !== undefined,

    /** Documents with all their versions, and the texts that no other document has. */
    async removeAll(trx: Trx, { project, spaceId }: Place, ids: readonly string[]): Promise<void> {
      const all = { project, spaceId, ids: ids as string[] }
      await trx.raw(
        'delete from knowledge.document where project = :project and "spaceId" = :spaceId and id = any(:ids)',
        all
      )
      const { rows } = await trx.raw(
        'delete from knowledge.revision where project = :project and "documentId" = any(:ids) returning hash',
        all
      )
      await trx.raw(
        `delete from knowledge.content c where c.project = :project and c."spaceId" = :spaceId
            and c.hash = any(:hashes) and not exists (select from knowledge.revision r
              where r.project = c.project and r."spaceId" = c."spaceId" and r.hash = c.hash)`,
        { project, spaceId, hashes: [...new Set(rows.map(({ hash }: { hash: string }) => hash))] as string[] }
      )
      await trx('knowledge.deleted_document').insert(
        ids.map((documentId) => ({ project, spaceId, documentId }))
      )
    }
  }
}
