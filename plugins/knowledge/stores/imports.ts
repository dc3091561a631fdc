import type { Kernel, Trx } from 'agent-platform'
import type { MediaType } from '../schemas/documents.ts'
import type { StoredImport } from '../schemas/imports.ts'
import { imports } from '../schemas/imports.ts'

export type ImportStore = ReturnType<typeof createImportStore>

export interface ImportFile {
  readonly ordinal: number
  readonly path: string
  readonly mediaType: MediaType
  readonly fileId: string | null
  readonly bytes: Buffer
}
export type Counts = Pick<
  StoredImport,
  'created' | 'updated' | 'unchanged' | 'failed' | 'errors' | 'warnings'
>

/** Maximum number of errors, and of warnings, that an import stores, apart from those of its last batch. */
const MOST_ERRORS = 100
const BATCH = 200

export function createImportStore({ knex }: Pick<Kernel, 'knex'>) {
  const files = (on: Trx, { project, id }: StoredImport) =>
    on('knowledge.import_file').where({ project, importId: id })

  return {
    async insertFiles(trx: Trx, { project, id: importId }: StoredImport, all: readonly ImportFile[]) {
      for (let from = 0; from < all.length; from += BATCH)
        await trx('knowledge.import_file').insert(
          all.slice(from, from + BATCH).map((file) => ({ project, importId, ...file }))
        )
    },

    /** Some that are still to be imported, in their order. */
    listFiles: (of: StoredImport, most: number): Promise<ImportFile[]> =>
      knex('knowledge.import_file')
        .where({ project: of.project, importId: of.id })
        .orderBy('ordinal')
        .limit(most)
        .select('ordinal', 'path', 'mediaType', 'fileId', 'bytes'),

    /** These are done with: false where another worker was first. */
    async settleFiles(
      trx: Trx,
      of: StoredImport,
      ordinals: readonly number[],
      counts: Counts
    ): Promise<boolean> {
      const gone = await files(trx, of)
        .whereRaw('ordinal = any(?)', [ordinals as number[]])
        .delete()
      if (gone !== ordinals.length) return false
      const { created, updated, unchanged, failed, errors, warnings } = counts
      await trx.raw(
        `update knowledge.import set created = created + ?, updated = updated + ?, unchanged = unchanged + ?,
            failed = failed + ?, errors = case when jsonb_array_length(errors) >= ? then errors else errors || ?::jsonb end,
            warnings = case when jsonb_array_length(warnings) >= ? then warnings else warnings || ?::jsonb end
          where project = ? and id = ?`,
        [
          ...[created, updated, unchanged, failed],
          ...[MOST_ERRORS, JSON.stringify(errors), MOST_ERRORS, JSON.stringify(warnings)],
          ...[of.project, of.id]
        ]
      )
      return true
    },

    updateStatus: (trx: Trx, of: StoredImport, status: 'completed' | 'failed'): Promise<number> =>
      trx(imports.name)
        .where({ project: of.project, id: of.id, status: 'running' })
        .update({ status, endedAt: trx.fn.now() }),

    /** Of an import that cannot go on. */
    removeFiles: (trx: Trx, of: StoredImport): Promise<number> => files(trx, of).delete(),

    removeFilesOfSpace: async (
      trx: Trx,
      project: string,
      spaceId: string,
      limit: number
    ): Promise<number> => {
      const { rowCount } = await trx.raw(
        `delete from knowledge.import_file where project = ? and ctid = any (array(
          select f.ctid from knowledge.import_file f join knowledge.import i
            on i.project = f.project and i.id = f."importId"
          where i.project = ? and i."spaceId" = ? limit ?))`,
        [project, project, spaceId, limit]
      )
      return rowCount
    }
  }
}
