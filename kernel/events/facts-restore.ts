import type { Knex } from 'knex'

/** Any number, so that two instances do not do it at the same time. */
const restoreLock = 7_310_586_412_377

/** Something is of a transaction that this server has not come to yet. */
const isAhead = `
  select exists (select from kernel.fact_cursor c where c.transaction > next or pg_snapshot_xmax(c.since) > next)
      or exists (select from kernel.fact where transaction >= next) as ahead
    from pg_snapshot_xmax(pg_current_snapshot()) next`

/**
 * Makes facts and cursors fit the server they are on now. Transaction ids begin anew when a database is
 * restored into another server; kept as they were, new facts would lie below the cursors and never be read.
 * All facts become those of one early transaction; their order and what each pack has read stay the same. To be
 * done before anything is recorded there; true when something had to be changed.
 */
export const restore = (knex: Knex): Promise<boolean> =>
  knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [restoreLock])
    const { rows } = await trx.raw<{ rows: { ahead: boolean }[] }>(isAhead)
    if (!rows[0]?.ahead) return false
    // Before every transaction of any server, and not visible in the snapshot 1:1. A database that was restored
    // once before changes to the other one, as no two facts may meet on their way.
    const { rowCount } = await trx.raw(`select from kernel.fact where transaction = '1' limit 1`)
    const early = rowCount ? '2' : '1'
    await trx.raw(
      `create temporary table fact_order on commit drop as
         select transaction, position, row_number() over (order by transaction, position) as place from kernel.fact`
    )
    await trx.raw(
      `update kernel.fact_cursor c set transaction = ?::xid8, since = '1:1:', position = (
         select count(*) from fact_order f
          where (f.transaction, f.position) <= (c.transaction, c.position)
             or pg_visible_in_snapshot(f.transaction, c.since))`,
      [early]
    )
    for (const table of ['fact_held', 'fact'])
      await trx.raw(
        `update kernel.${table} it set transaction = ?::xid8, position = place from fact_order f
          where (it.transaction, it.position) = (f.transaction, f.position)`,
        [early]
      )
    return true
  })
