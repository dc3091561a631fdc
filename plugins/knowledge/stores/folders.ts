import type { Kernel, PageOf, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Folder, FolderQuery } from '../schemas/folders.ts'
import { folders } from '../schemas/folders.ts'

export type FolderStore = ReturnType<typeof createFolderStore>
export type FolderRow = Folder & { readonly project: string }
interface Place {
  readonly project: string
  readonly spaceId: string
}

export function createFolderStore({ knex }: Pick<Kernel, 'knex'>) {
  const within = (trx: Trx, { project, spaceId, path }: Place & { path: string }) =>
    trx(folders.name)
      .where({ project, spaceId })
      .whereRaw('(path = ? or starts_with(path, ?))', [path, `${path}/`])

  return {
    list({ project, spaceId }: Place, { parentId, ...page }: FolderQuery): Promise<PageOf<FolderRow>> {
      const query = knex(folders.name)
        .where({ project, spaceId })
        .select(...folders.columns)
      if (parentId !== undefined) query.where({ parentId: parentId === 'root' ? null : parentId })
      return paginate<FolderRow>(query, page, 'folder')
    },

    find: (trx: Trx, { project, spaceId }: Place, id: string): Promise<FolderRow | undefined> =>
      trx(folders.name)
        .where({ project, spaceId, id })
        .first(...folders.columns),

    listAll: (trx: Trx, { project, spaceId }: Place): Promise<FolderRow[]> =>
      trx(folders.name)
        .where({ project, spaceId })
        .select(...folders.columns),

    count: async (trx: Trx, { project, spaceId }: Place): Promise<number> =>
      Number((await trx(folders.name).where({ project, spaceId }).count({ count: '*' }))[0]?.count),

    /** Whether a folder or a document beside others has that name, in whatever case; but for the one with this id. */
    async findNamed(
      trx: Trx,
      { project, spaceId }: Place,
      parentId: string | null,
      name: string,
      but = ''
    ): Promise<boolean> {
      const { rows } = await trx.raw(
        `select 1 from knowledge.folder where project = :project and "spaceId" = :spaceId
            and coalesce("parentId", '') = :parent and lower(name) = lower(:name) and id <> :but
          union all
          select 1 from knowledge.document where project = :project and "spaceId" = :spaceId
            and coalesce("folderId", '') = :parent and lower(name) = lower(:name) and id <> :but limit 1`,
        { project, spaceId, parent: parentId ?? '', name, but }
      )
      return rows.length > 0
    },

    /** Of it and what is below: how many levels deep the deepest folder lies, and all ids. */
    async findBelow(trx: Trx, at: Place & { path: string }): Promise<{ ids: string[]; depth: number }> {
      const paths: { id: string; path: string }[] = await within(trx, at).select('id', 'path')
      const depth = Math.max(...paths.map(({ path }) => path.split('/').length))
      return { ids: paths.map(({ id }) => id), depth }
    },

    /** What lies below a folder has a path that begins with its own. */
    async updatePaths(trx: Trx, { project, spaceId }: Place, from: string, to: string): Promise<void> {
      for (const table of ['folder', 'document'])
        await trx.raw(
          `update knowledge.${table} set path = ? || substr(path, char_length(?) + 1)
            where project = ? and "spaceId" = ? and starts_with(path, ?)`,
          [to, from, project, spaceId, `${from}/`]
        )
    },

    removeAll: (trx: Trx, { project, spaceId }: Place, ids: readonly string[]): Promise<number> =>
      trx(folders.name)
        .where({ project, spaceId })
        .whereRaw('id = any(?)', [ids as string[]])
        .delete()
  }
}
