import type { RemoveSome } from '../contract/manifest.ts'

/**
 * What a cascade does about a table without a column `id`: deletes rows by another column, by their places in the table, so that
 * they must be rows that never change. A place is one of a shard, which the project names.
 */
export const removeRows =
  (table: string, column: string): RemoveSome =>
  async ({ project, id }, trx, limit) => {
    const { rowCount } = await trx.raw(
      `delete from ?? where project = ? and ctid = any (array(
        select ctid from ?? where project = ? and ?? = ? limit ?))`,
      [table, project, table, project, column, id, limit]
    )
    return rowCount
  }
