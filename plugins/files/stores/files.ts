import type { Kernel, Owned, Trx } from 'agent-platform'
import type { File } from '../schemas.ts'

export type FileStore = ReturnType<typeof createFileStore>
/** `agentId`: the agent that uploaded it, which may read what it made. */
export type FileRow = File & Owned & { readonly agentId: string | null }
/** `runId`: the run in which it was made, if it was. */
export type NewFile = Omit<FileRow, 'createdAt'> & { readonly runId: string | null }

const columns = ['project', 'id', 'owner', 'agentId', 'name', 'mediaType', 'size', 'sha256', 'createdAt']

export interface Quota {
  readonly bytes: number
  readonly files: number
}

const rowOf = (row: FileRow): FileRow => ({ ...row, size: Number(row.size) })

export function createFileStore({ knex }: Pick<Kernel, 'knex'>) {
  const find = async (id: string): Promise<FileRow | undefined> => {
    const row = await knex('files.file')
      .where({ id })
      .first(...columns)
    return row && rowOf(row)
  }

  const updateUsage = (trx: Trx, { project, owner }: Owned, by: Quota) =>
    trx('files.usage')
      .where({ project, owner })
      .update({ bytes: trx.raw('bytes + ?', [by.bytes]), files: trx.raw('files + ?', [by.files]) })

  return {
    find,

    async findUsage({ project, owner }: Owned): Promise<Quota> {
      const row = await knex('files.usage').where({ project, owner }).first('bytes', 'files')
      return { bytes: Number(row?.bytes ?? 0), files: Number(row?.files ?? 0) }
    },

    /** Takes room of an owner's quota, of which others see nothing before the commit; false where there is not so much. */
    async takeRoom(trx: Trx, { project, owner }: Owned, wanted: Quota, most: Quota): Promise<boolean> {
      await trx('files.usage').insert({ project, owner, bytes: 0, files: 0 }).onConflict().ignore()
      const taken = await updateUsage(trx, { project, owner }, wanted)
        .whereRaw('bytes + ? <= ?', [wanted.bytes, most.bytes])
        .whereRaw('files + ? <= ?', [wanted.files, most.files])
      return taken > 0
    },

    async insert(trx: Trx, files: readonly NewFile[]): Promise<readonly FileRow[]> {
      const rows = await trx('files.file')
        .insert([...files])
        .returning(columns)
      return rows.map(rowOf)
    },

    /** Those that were made in a run, in the order of their making. */
    async listOfRun(project: string, runId: string, limit: number): Promise<readonly FileRow[]> {
      const rows = await knex('files.file')
        .where({ project, runId })
        .orderBy('id')
        .limit(limit)
        .select(columns)
      return rows.map(rowOf)
    },

    /** With the room that it took; undefined where there is none. */
    async remove(trx: Trx, key: { project: string; id: string }): Promise<FileRow | undefined> {
      const [row] = await trx('files.file')
        .where({ project: key.project, id: key.id })
        .delete()
        .returning(columns)
      if (row) await updateUsage(trx, row, { bytes: -Number(row.size), files: -1 })
      return row && rowOf(row)
    },

    /** The same upload before, within a day: its digest and its files as far as they are there. */
    async findUpload(project: string, principal: string, key: string) {
      const row = await knex('files.upload')
        .where({ project, principal, key })
        .whereRaw(`"createdAt" > now() - interval '24 hours'`)
        .first('digest', 'fileIds')
      if (!row) return undefined
      const found = await knex('files.file').where({ project }).whereIn('id', row.fileIds).select(columns)
      return { digest: String(row.digest), files: found.map(rowOf).sort(byId) }
    },

    /** False where another one with that key came first. */
    async insertUpload(
      trx: Trx,
      upload: { project: string; principal: string; key: string; digest: string; fileIds: readonly string[] }
    ): Promise<boolean> {
      const rows = await trx('files.upload')
        .insert({ ...upload, fileIds: [...upload.fileIds] })
        .onConflict(['project', 'principal', 'key'])
        .merge(['digest', 'fileIds', 'createdAt'])
        .whereRaw(`upload."createdAt" <= now() - interval '24 hours'`)
        .returning('key')
      return rows.length > 0
    },

    removeOldUploads: () =>
      knex('files.upload').whereRaw(`"createdAt" <= now() - interval '24 hours'`).delete()
  }
}

/** In the order of their making. */
const byId = (a: FileRow, b: FileRow) => (a.id < b.id ? -1 : 1)
