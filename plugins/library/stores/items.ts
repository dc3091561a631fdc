import type { Kernel, PageOf, Paging, Principal, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import { grants } from '../granting/schemas.ts'
import type { ItemQuery, KeptPreview } from '../schemas.ts'
import { items } from '../schemas.ts'
import { shareLinks } from '../share-schemas.ts'
import type { ItemAccess } from './access.ts'

export type ItemStore = ReturnType<typeof createItemStore>
export type ItemRow = NonNullable<Awaited<ReturnType<typeof items.find>>>
export type LinkRow = NonNullable<Awaited<ReturnType<typeof shareLinks.find>>>

type NewItem = Omit<ItemRow, 'version' | 'createdAt' | 'updatedAt' | 'favourite'>

/** As a pattern of LIKE: nothing in it stands for anything else. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

interface Deps extends Pick<Kernel, 'knex'> {
  itemAccess: ItemAccess
}

export function createItemStore({ knex, itemAccess }: Deps) {
  return {
    /** Those that the principal owns or was granted. */
    list(
      by: Principal,
      { q, mediaType, favourite, origin, granted, ...page }: ItemQuery
    ): Promise<PageOf<ItemRow>> {
      const which = granted === undefined ? 'both' : granted ? 'granted' : 'own'
      const query = itemAccess.where(by, knex(items.name).select(...items.columns), which)
      if (favourite !== undefined) query.where({ favourite })
      if (origin !== undefined) query.whereRaw(`origin->>'type' = ?`, [origin])
      if (mediaType?.endsWith('/*')) query.whereLike('mediaType', `${literal(mediaType.slice(0, -1))}%`)
      else if (mediaType !== undefined) query.where({ mediaType })
      if (q !== undefined)
        query.where((either) =>
          either.whereILike('name', `%${literal(q)}%`).orWhereILike('description', `%${literal(q)}%`)
        )
      return paginate<ItemRow>(query, page, 'item')
    },

    /** Once a file, however often it is told of: undefined where the item is there. */
    async insert(trx: Trx, row: NewItem): Promise<ItemRow | undefined> {
      const [made] = await trx(items.name)
        .insert({ ...row, origin: JSON.stringify(row.origin), chain: JSON.stringify(row.chain) })
        .onConflict(['project', 'fileId'])
        .ignore()
        .returning(items.columns)
      return made
    },

    /** Its preview is of no edit. False where another one came first, or the item is gone. */
    async updatePreview(trx: Trx, { project, id }: ItemRow, preview: KeptPreview): Promise<boolean> {
      const query = trx(items.name).where({ project, id }).whereNull('preview')
      return (await query.update({ preview: JSON.stringify(preview) as never })) > 0
    },

    /** A page of the links of an item, newest first. */
    listLinks: ({ project, id }: ItemRow, page: Paging) =>
      paginate<LinkRow>(
        knex(shareLinks.name)
          .where({ project, itemId: id })
          .select(...shareLinks.columns),
        page,
        'share'
      ),

    /** Never more than the link has, however many come at once; false where it has none left, is expired or revoked. */
    async updateDownloads({ project, id }: { project: string; id: string }): Promise<boolean> {
      const query = knex(shareLinks.name).where({ project, id }).where('expiresAt', '>', knex.fn.now())
      query.whereRaw('("maxDownloads" is null or downloads < "maxDownloads")')
      return (await query.update({ downloads: knex.raw('downloads + 1') as never })) > 0
    },

    /** Undefined where there is none any more. */
    async removeOfFile(trx: Trx, project: string, fileId: string): Promise<{ id: string } | undefined> {
      const [row] = await trx(items.name).where({ project, fileId }).delete().returning('id')
      if (row)
        for (const { name } of [shareLinks, grants])
          await trx(name).where({ project, itemId: row.id }).delete()
      return row
    }
  }
}
