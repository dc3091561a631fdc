import type { Kernel, PageOf, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import { grants } from '../granting/schemas.ts'
import type { Subject } from '../granting/subjects.ts'
import type { ItemQuery, KeptPreview } from '../schemas.ts'
import { items } from '../schemas.ts'
import { shareLinks } from '../share-schemas.ts'
import { grantsOf } from './grants.ts'

export type ItemStore = ReturnType<typeof createItemStore>
export type ItemRow = NonNullable<Awaited<ReturnType<typeof items.find>>>

type NewItem = Omit<ItemRow, 'version' | 'createdAt' | 'updatedAt' | 'favourite'>

/** As a pattern of LIKE: nothing in it stands for anything else. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export function createItemStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Those that the principal owns or was granted, as one of these subjects. */
    list(
      by: Principal,
      subjects: readonly Subject[],
      { q, mediaType, favourite, origin, granted, ...page }: ItemQuery
    ): Promise<PageOf<ItemRow>> {
      const { project } = by
      const query = knex(items.name)
        .where({ project })
        .select(...items.columns)
      const ids = grantsOf(knex, project, subjects).select('itemId')
      if (granted === undefined) query.where((any) => void reach(by, any).orWhereIn('id', ids))
      else if (granted) query.whereIn('id', ids).whereNot((own) => void reach(by, own))
      else reach(by, query)
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
