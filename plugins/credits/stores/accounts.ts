import type { Fragment, Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Account, AccountKind } from '../rows.ts'

export type AccountStore = ReturnType<typeof createAccountStore>

/** Of locks, by number: those that postings to an account take. */
const POSTING = 7_215

const takeText = `with made as (
    insert into credits.account (project, id, owner, kind) select $1, $2, $3, $4
      where not exists (select from credits.account where project = $1 and owner = $3 and kind = $4)
      on conflict do nothing returning id)
  select id from made union all
  select id from credits.account where project = $1 and owner = $3 and kind = $4`

const columns = ['project', 'id', 'owner', 'kind', 'balance', 'reserved'] as const
/** Keeps other postings away from these accounts; in an order of their own, which is that of what is locked. */
export const advisoryText = (ids: string) => `select count(pg_advisory_xact_lock(k.key)) from (
  select distinct hashtextextended(id, ${POSTING}) as key from (${ids}) i order by 1) k`
const lockText = `select ${columns.join(', ')} from credits.account
  where id = any ($1::text[]) and exists (select from held) order by id for update`
const lockPostingsText = advisoryText(`select r.id from unnest($1::text[], $2::text[]) as k(project, id),
    lateral (select "accountId" as id from credits.reservation r where r.project = k.project and r.id = k.id limit 1) r
  union all select unnest($3::text[])`)
const rowText = `select a.id from credits.account a
  where a.id = any (array(select id from jsonb_to_recordset($1::jsonb) as v(id text))) order by a.id for update`
const updateText = `update credits.account a set balance = a.balance + v.balance, reserved = a.reserved + v.reserved
  from jsonb_to_recordset($1::jsonb) as v(id text, balance bigint, reserved bigint)
  where a.id = v.id and a.id = any (array(select id from row)) returning a.id`

/** What is added to an account. */
export interface Change {
  balance: bigint
  reserved: bigint
}

export const toAccount = ({
  balance,
  reserved,
  ...row
}: Account & { balance: unknown; reserved: unknown }): Account => ({
  ...row,
  balance: BigInt(String(balance)),
  reserved: BigInt(String(reserved))
})

/** Accounts: one row each, with the balance that their entries come to. They are opened at first use, and never closed. */
export function createAccountStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  return {
    /** The id of an account, which is opened where there is none. */
    async takeId(project: string, owner: string, kind: AccountKind): Promise<string> {
      for (;;) {
        const [row] = await hot.query<{ id: string }>('credits.account', takeText, [
          project,
          newId('account'),
          owner,
          kind
        ])
        // Else another process opened it meanwhile, which the statement did not see.
        if (row) return row.id
      }
    },

    /** Undefined for a person who never had one. */
    async findPerson(project: string, owner: string): Promise<Account | undefined> {
      const row = await knex('credits.account')
        .where({ project, owner, kind: 'person' })
        .first(...columns)
      return row && toAccount(row)
    },

    async find(id: string): Promise<Account | undefined> {
      const row = await knex('credits.account')
        .where({ id })
        .first(...columns)
      return row && toAccount(row)
    },

    /** These, by id, as they stay until the transaction ends; always in the same order. */
    async lock(trx: Trx, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> {
      const values = [[...new Set(ids)]]
      const parts = {
        held: { text: advisoryText('select unnest($1::text[]) as id'), values },
        row: { text: lockText, values }
      }
      const rows = await hot.together<Account>('credits.lock', parts, 'select * from row', trx)
      return new Map(rows.map((row) => [row.id, toAccount(row)]))
    },

    /** This one, while nothing is posted to it: what is reserved of it, and what there is, stay. */
    async lockReserved(trx: Trx, id: string): Promise<Account | undefined> {
      const row = await trx('credits.account')
        .where({ id })
        .forUpdate()
        .first(...columns)
      return row && toAccount(row)
    },

    /**
     * Until the transaction ends nobody else posts to these, nor to those of the reservations. What is reserved of them may
     * change meanwhile: runs that begin do not wait.
     */
    async lockPostings(
      trx: Trx,
      reservations: readonly { readonly project: string; readonly id: string }[],
      others: readonly string[]
    ): Promise<void> {
      const keys = [reservations.map(({ project }) => project), reservations.map(({ id }) => id)]
      const held = { text: lockPostingsText, values: [...keys, [...others]] }
      await hot.together('credits.lock-postings', { held }, 'select * from held', trx)
    },

    /** Queries that lock accounts and add to them. */
    updateParts(changes: ReadonlyMap<string, Change>): Readonly<Record<string, Fragment>> {
      const rows = [...changes].map(([id, { balance, reserved }]) => ({
        id,
        balance: String(balance),
        reserved: String(reserved)
      }))
      const values = [JSON.stringify(rows)]
      return { row: { text: rowText, values }, changed: { text: updateText, values } }
    },

    /** Adds to accounts; locks them. */
    async update(trx: Trx, changes: ReadonlyMap<string, Change>): Promise<void> {
      await hot.together('credits.change', this.updateParts(changes), 'select count(*) from changed', trx)
    },

    /** Accounts whose balance is not the sum of their entries, or whose reserved amount not that of what is open. */
    async listWrong(): Promise<readonly { id: string; project: string; owner: string }[]> {
      const { rows } = await knex.raw(
        `select a.id, a.project, a.owner from credits.account a
          left join (select project, "accountId", sum(amount) as amount from credits.entry group by 1, 2) e
            on e.project = a.project and e."accountId" = a.id
          left join (select project, "accountId", sum(amount) as amount from credits.reservation where "settledAt" is null
                      group by 1, 2) r on r.project = a.project and r."accountId" = a.id
          where a.balance <> coalesce(e.amount, 0) or a.reserved <> coalesce(r.amount, 0)`
      )
      return rows
    }
  }
}
