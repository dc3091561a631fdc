import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What is to be charged waits in rows of its own: those of reservations are written twice, and not four times.
  await knex.raw(`
    create table credits.due (
      project text collate "C" not null,
      "reservationId" text collate "C" not null,
      key text collate "C" not null,
      due jsonb not null,
      primary key (project, "reservationId", key)
    )`)
  await knex.raw(`
    insert into credits.due (project, "reservationId", key, due)
    select r.project, r.id, coalesce('run:' || (d.due -> 'run' ->> 'runId'), 'call:' || (d.due -> 'call' ->> 'callId')), d.due
      from credits.reservation r, jsonb_array_elements(r.due) as d(due) where r.due is not null
    on conflict do nothing`)
  await knex.raw('alter table credits.reservation drop column due')
  // Of what is charged: a transaction has many charges, and there is never a second one of the project for the same.
  await knex.raw('alter table credits.entry add column key text collate "C"')
  await knex.raw('create unique index on credits.entry (project, key) where key is not null')
  // Entries that are added together sum to zero, and a transaction has some at its commit.
  await knex.raw('drop trigger sums_to_zero on credits.entry')
  await knex.raw(`
    create or replace function credits.check_sum() returns trigger language plpgsql as $$
    declare found record;
    begin
      select "transactionId" as id, sum(amount) as total into found from added
        group by project, "transactionId" having sum(amount) <> 0 limit 1;
      if found.id is not null then
        raise exception 'transaction % of the ledger sums to %', found.id, found.total
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`)
  await knex.raw(`
    create trigger sums_to_zero after insert on credits.entry referencing new table as added
      for each statement execute function credits.check_sum()`)
  await knex.raw(`
    create function credits.check_transaction() returns trigger language plpgsql as $$
    declare total numeric;
    begin
      select sum(amount) into total from credits.entry where project = new.project and "transactionId" = new.id;
      if total is distinct from 0 then
        raise exception 'transaction % of the ledger sums to %', new.id, total using errcode = 'check_violation';
      end if;
      return null;
    end $$`)
  await knex.raw(`
    create constraint trigger sums_to_zero after insert on credits.transaction
      deferrable initially deferred for each row execute function credits.check_transaction()`)
}

export async function down(knex: Knex) {
  await knex.raw('drop trigger sums_to_zero on credits.transaction')
  await knex.raw('drop function credits.check_transaction()')
  await knex.raw('drop trigger sums_to_zero on credits.entry')
  await knex.raw(`
    create or replace function credits.check_sum() returns trigger language plpgsql as $$
    declare total numeric;
    begin
      select sum(amount) into total from credits.entry
        where project = new.project and "transactionId" = new."transactionId";
      if total <> 0 then
        raise exception 'transaction % of the ledger sums to %', new."transactionId", total
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`)
  await knex.raw(`
    create constraint trigger sums_to_zero after insert on credits.entry
      deferrable initially deferred for each row execute function credits.check_sum()`)
  await knex.raw('alter table credits.entry drop column key')
  await knex.raw('alter table credits.reservation add column due jsonb')
  await knex.raw('create index reservation_due on credits.reservation (project, id) where due is not null')
  await knex.raw(`
    update credits.reservation r set due = d.due
      from (select project, "reservationId", jsonb_agg(due) as due from credits.due group by 1, 2) d
      where r.project = d.project and r.id = d."reservationId"`)
  await knex.raw('drop table credits.due')
}
