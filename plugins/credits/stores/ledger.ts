import type { Kernel, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import type { Account, Posting, Reservation } from '../rows.ts'
import type { LedgerQuery, StoredEntry } from '../schemas/ledger.ts'

export type LedgerStore = ReturnType<typeof createLedgerStore>

/** A transaction that is there. */
export interface Posted {
  readonly id: string
  readonly digest: string | null
}

const insertText = `with made as (
    insert into credits.transaction (project, id, owner, kind, key, digest, actor, reason)
    select project, id, owner, kind, key, digest, actor, reason from jsonb_to_recordset(?::jsonb)
      as t(project text, id text, owner text, kind text, key text, digest text, actor text, reason text)
    on conflict (project, key) do nothing returning id),
  entry as (
    insert into credits.entry (project, id, owner, "transactionId", "accountId", amount, balance, kind, reason, counterparty,
      "agentId", "sessionId", "runId", "modelProvider", "modelId", "toolName", quantity, price)
    select e.* from jsonb_to_recordset(?::jsonb)
      as e(project text, id text, owner text, "transactionId" text, "accountId" text, amount bigint, balance bigint, kind text,
        reason text, counterparty text, "agentId" text, "sessionId" text, "runId" text, "modelProvider" text, "modelId" text,
        "toolName" text, quantity jsonb, price jsonb)
      where exists (select from made m where m.id = e."transactionId")
    returning "accountId", amount),
  reservation as (
    update credits.reservation r set amount = v.amount, calls = v.calls,
        "settledAt" = case when v."isSettled" then coalesce(r."settledAt", now()) end,
        due = (select jsonb_agg(d.due order by d.n) from jsonb_array_elements(r.due) with ordinality as d(due, n) where d.n > v.charged)
      from jsonb_to_recordset(?::jsonb) as v(id text, amount bigint, calls bigint, "isSettled" boolean, charged int)
      where r.id = v.id),
  account as (
    update credits.account a set balance = a.balance + x.amount, reserved = coalesce(x.reserved, a.reserved)
      from (select id, sum(amount) as amount, max(reserved) as reserved from (
          select "accountId" as id, amount, null::bigint as reserved from entry
          union all select v.id, 0, v.reserved from jsonb_to_recordset(?::jsonb) as v(id text, reserved bigint)) u
        group by id) x
      where a.id = x.id)
  select id from made`

const groups = {
  agent: `e."agentId"`,
  model: `e."modelProvider" || '/' || e."modelId"`,
  tool: 'e."toolName"',
  day: `to_char(e."createdAt" at time zone 'UTC', 'YYYY-MM-DD')`
} as const
export type Grouping = keyof typeof groups

/** Transactions and their entries: only ever added to. */
export function createLedgerStore({ knex }: Pick<Kernel, 'knex'>) {
  /**
   * The transactions that were made, in order, on accounts that are locked; undefined for one whose key there was before. With
   * them what is reserved of accounts, and what is left of reservations, whose `due` is charged then.
   */
  async function insertAll(
    trx: Trx,
    postings: readonly Posting[],
    {
      accounts = [],
      reservations = []
    }: { accounts?: readonly Account[]; reservations?: readonly Reservation[] } = {}
  ): Promise<readonly (string | undefined)[]> {
    const transactions = postings.map((posting) => ({
      ...posting,
      id: newId('transaction'),
      lines: undefined
    }))
    const entries = postings.flatMap(({ lines, key, digest, actor, ...posting }, index) =>
      lines.map(({ account, amount, balance, counterparty = null }) => ({
        ...posting,
        id: newId('entry'),
        owner: account.owner,
        transactionId: transactions[index]?.id,
        accountId: account.id,
        amount: String(amount),
        balance: String(balance),
        counterparty
      }))
    )
    const left = reservations.map(({ id, amount, calls, isSettled, due }) => ({
      id,
      amount: String(amount),
      calls: String(calls),
      isSettled,
      charged: due?.length ?? 0
    }))
    const reserved = accounts.map(({ id, reserved }) => ({ id, reserved: String(reserved) }))
    const { rows } = await trx.raw(
      insertText,
      [transactions, entries, left, reserved].map((part) => JSON.stringify(part))
    )
    const made = new Set(rows.map(({ id }: Posted) => id))
    // What was left out would be counted in the balances of those behind it.
    if (made.size < postings.length && postings.length > 1)
      throw new Error('A transaction of the ledger was made before')
    return transactions.map(({ id }) => (made.has(id) ? id : undefined))
  }

  return {
    insertAll,

    findByKey: (project: string, key: string, on: Trx | Kernel['knex'] = knex): Promise<Posted | undefined> =>
      on('credits.transaction').where({ project, key }).first('id', 'digest'),

    /** Those of these keys for which there is a transaction, in any of these projects. */
    async listKeys(
      trx: Trx,
      projects: readonly string[],
      keys: readonly string[]
    ): Promise<readonly { project: string; key: string }[]> {
      const { rows } = await trx.raw(
        'select project, key from credits.transaction where project = any(?::text[]) and key = any(?::text[])',
        [[...projects], [...keys]]
      )
      return rows
    },

    /** The entries of an account, the newest first. */
    list(accountId: string, project: string, { limit, cursor, from, to, ...where }: LedgerQuery) {
      const { owner: _, ...given } = where
      const known = Object.entries(given).filter(([, value]) => value !== undefined)
      const query = knex('credits.entry').where({ project, accountId, ...Object.fromEntries(known) })
      if (from !== undefined) query.where('createdAt', '>=', from)
      if (to !== undefined) query.where('createdAt', '<', to)
      return paginate<StoredEntry>(query.select('*'), { limit, cursor }, 'entry')
    },

    /** The line of a transaction that is that account's. */
    findEntry: (project: string, transactionId: string, accountId: string): Promise<StoredEntry> =>
      knex('credits.entry').where({ project, transactionId, accountId }).first('*'),

    /** Gifts that went out of an account or came in, the newest first. */
    listGifts(project: string, accountId: string, direction: 'sent' | 'received' | undefined, page: Paging) {
      const query = knex('credits.entry').where({ project, accountId, kind: 'gift' })
      if (direction !== undefined) query.where('amount', direction === 'sent' ? '<' : '>', 0)
      return paginate<StoredEntry>(query.select('*'), page, 'entry')
    },

    /** What an account that is locked gave within 24 hours. */
    async findGiven(trx: Trx, project: string, accountId: string): Promise<bigint> {
      const [row] = await trx('credits.entry')
        .where({ project, accountId, kind: 'gift' })
        .where('amount', '<', 0)
        .where('createdAt', '>', trx.raw(`now() - interval '24 hours'`))
        .sum('amount')
      return -BigInt(String(row?.sum ?? 0))
    },

    /** What was spent in that time, by what it was spent for. Most is first, but for days. */
    async listSpent(
      project: string,
      accountId: string,
      by: Grouping,
      from: string,
      to: string
    ): Promise<readonly { key: string | null; spent: string; entries: number }[]> {
      const { rows } = await knex.raw(
        `select ${groups[by]} as key, sum(-e.amount)::text as spent, count(*)::int as entries from credits.entry e
          where e.project = ? and e."accountId" = ? and e.kind = 'usage' and e."createdAt" >= ? and e."createdAt" < ?
          group by 1 order by ${by === 'day' ? '1' : 'sum(-e.amount) desc, 1'} limit 400`,
        [project, accountId, from, to]
      )
      return rows
    },

    /** Of one kind, what came in and went out of an account in that time. */
    async listTotals(
      project: string,
      accountId: string,
      from: string,
      to: string
    ): Promise<readonly { kind: string; received: string; spent: string }[]> {
      const { rows } = await knex.raw(
        `select kind, coalesce(sum(amount) filter (where amount > 0), 0)::text as received,
            coalesce(sum(-amount) filter (where amount < 0), 0)::text as spent from credits.entry
          where project = ? and "accountId" = ? and "createdAt" >= ? and "createdAt" < ? group by kind order by kind`,
        [project, accountId, from, to]
      )
      return rows
    },

    /** What was charged to an account for an agent, a session or all, in the day or month that is now, or ever. */
    async findSpent(
      trx: Trx,
      project: string,
      accountId: string,
      { agentId, sessionId }: { agentId: string | null; sessionId: string | null },
      period: 'day' | 'month' | 'total'
    ): Promise<bigint> {
      const query = trx('credits.entry').where({ project, accountId, kind: 'usage' })
      if (agentId !== null) query.where({ agentId })
      if (sessionId !== null) query.where({ sessionId })
      if (period !== 'total')
        query.where(
          'createdAt',
          '>=',
          trx.raw(`date_trunc(?, now() at time zone 'UTC') at time zone 'UTC'`, [period])
        )
      const [row] = await query.sum('amount')
      return -BigInt(String(row?.sum ?? 0))
    }
  }
}
