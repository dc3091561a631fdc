import type { Knex } from 'knex'

/**
 * Makes facts and cursors fit the server they are on now. Transaction ids begin anew when a database is
 * restored into another server; kept as they were, new facts would lie below the cursors and never be read.
 * The order of the facts and what each pack has read stay the same. To be done before anything is recorded
 * there; true when something had to be changed.
 */
export async function restore(knex: Knex): Promise<boolean> {
  if (!(await isAhead(knex))) return false
  return knex.transaction(async (trx) => {
    await trx.raw('lock table kernel.fact_cursor, kernel.fact_held, kernel.fact in exclusive mode')
    if (!(await isAhead(trx))) return false
    await trx.raw(
      `create temporary table fact_order on commit drop as
         select *, row_number() over (order by transaction, position) as place from kernel.fact`
    )
    // One is before every transaction of any server, and not visible in the snapshot 1:1.
    await trx.raw(
      `update kernel.fact_cursor c set transaction = '1', since = '1:1:', position = (
         select count(*) from fact_order f
          where (f.transaction, f.position) <= (c.transaction, c.position)
             or pg_visible_in_snapshot(f.transaction, c.since))`
    )
    await trx.raw(
      `create temporary table held_order on commit drop as
         select h.*, f.place from kernel.fact_held h join fact_order f using (transaction, position)`
    )
    await trx.raw('delete from kernel.fact_held')
    await trx.raw(
      `insert into kernel.fact_held
         (pack, transaction, position, project, subject, attempts, "nextAt", error, "parkedAt")
       select pack, '1', place, project, subject, attempts, "nextAt", error, "parkedAt" from held_order`
    )
    await trx.raw('delete from kernel.fact')
    await trx.raw(
      `insert into kernel.fact
         (transaction, position, id, name, project, owner, actor, subject, data, usage, at)
       select '1', place, id, name, project, owner, actor, subject, data, usage, at from fact_order`
    )
    return true
  })
}

/** Whether something is of a transaction that this server has not come to yet. */
async function isAhead(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { ahead: boolean }[] }>(
    `select exists (select from kernel.fact_cursor c
                     where c.transaction > next or pg_snapshot_xmax(c.since) > next)
         or coalesce((select transaction >= next from kernel.fact
                       order by transaction desc, position desc limit 1), false) as ahead
       from pg_snapshot_xmax(pg_current_snapshot()) next`
  )
  return rows[0]?.ahead === true
}
