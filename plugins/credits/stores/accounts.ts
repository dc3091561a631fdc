import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Account, AccountKind } from '../rows.ts'

export type AccountStore = ReturnType<typeof createAccountStore>

const takeText = `with made as (
    insert into credits.account (project, id, owner, kind) select $1, $2, $3, $4
      where not exists (select from credits.account where project = $1 and owner = $3 and kind = $4)
      on conflict do nothing returning id)
  select id from made union all
  select id from credits.account where project = $1 and owner = $3 and kind = $4`

const toAccount = ({
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
  const columns = ['project', 'id', 'owner', 'kind', 'balance', 'reserved'] as const

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
      const { rows } = await trx.raw(
        `select ${columns.join(', ')} from credits.account where id = any (?::text[]) order by id for update`,
        [[...new Set(ids)]]
      )
      return new Map(rows.map((row: Account) => [row.id, toAccount(row)]))
    },

    /** Those of reservations, and others, in the same way; without any reservation none. */
    async lockOfReservations(
      trx: Trx,
      reservations: readonly string[],
      others: readonly string[]
    ): Promise<ReadonlyMap<string, Account>> {
      const { rows } = await trx.raw(
        `with own as materialized (select distinct "accountId" as id from credits.reservation where id = any(?::text[]))
         select ${columns.join(', ')} from credits.account where id = any (array(
           select id from own union all select unnest(?::text[]) where exists (select from own))) order by id for update`,
        [[...reservations], [...others]]
      )
      return new Map(rows.map((row: Account) => [row.id, toAccount(row)]))
    },

    /** What is reserved of accounts that are locked. */
    async updateReserved(trx: Trx, accounts: readonly Account[]): Promise<void> {
      const people = accounts.filter(({ kind }) => kind === 'person')
      const rows = people.map(({ id, reserved }) => ({ id, reserved: String(reserved) }))
      await trx.raw(
        `update credits.account a set reserved = v.reserved
           from jsonb_to_recordset(?::jsonb) as v(id text, reserved bigint) where a.id = v.id`,
        [JSON.stringify(rows)]
      )
    },

    /** Accounts whose balance is not the sum of their entries, or whose reserved amount not that of what is open. */
    async listWrong(): Promise<readonly { id: string; project: string; owner: string }[]> {
      const { rows } = await knex.raw(
        `select a.id, a.project, a.owner from credits.account a
          where a.balance <> (select coalesce(sum(e.amount), 0) from credits.entry e
                               where e.project = a.project and e."accountId" = a.id)
             or a.reserved <> (select coalesce(sum(r.amount), 0) from credits.reservation r
                                where r.project = a.project and r."accountId" = a.id and r."settledAt" is null)`
      )
      return rows
    }
  }
}
