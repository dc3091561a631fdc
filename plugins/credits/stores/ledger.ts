import type { Fragment, Kernel, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import type { Posting } from '../rows.ts'
import type { LedgerQuery, StoredEntry } from '../schemas/ledger.ts'

export type LedgerStore = ReturnType<typeof createLedgerStore>

/** A transaction that is there. */
export interface Posted {
  readonly id: string
  readonly digest: string | null
}

const madeText = `insert into credits.transaction (project, id, owner, kind, key, digest, actor, reason)
    select project, id, owner, kind, key, digest, actor, reason from jsonb_to_recordset($1::jsonb)
      as t(project text, id text, owner text, kind text, key text, digest text, actor text, reason text)
    on conflict (project, key) do nothing returning id`
// What entries have in common is said once: taking a document apart costs as much as inserting what is in it.
const entryText = `insert into credits.entry (project, id, owner, "transactionId", "accountId", amount, balance, kind, key, reason,
      counterparty, "agentId", "sessionId", "runId", "modelProvider", "modelId", "toolName", quantity, price)
    select a.project, e.id, a.owner, a."transactionId", a."accountId", e.amount, e.balance, a.kind, e.key, a.reason, a.counterparty,
      a."agentId", e."sessionId", e."runId", a."modelProvider", a."modelId", a."toolName", e.quantity, a.price
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::int[])
        as e(id, amount, balance, key, "sessionId", "runId", quantity, about)
      join jsonb_to_recordset($9::jsonb) as a(n int, project text, owner text, "transactionId" text, "accountId" text, kind text,
        reason text, counterparty text, "agentId" text, "modelProvider" text, "modelId" text, "toolName" text, price jsonb)
        on a.n = e.about
      where exists (select from made m where m.id = a."transactionId")
    returning "accountId", amount`
const groups = {
  agent: `e."agentId"`,
  model: `e."modelProvider" || '/' || e."modelId"`,
  tool: 'e."toolName"',
  day: `to_char(e."createdAt" at time zone 'UTC', 'YYYY-MM-DD')`
} as const
export type Grouping = keyof typeof groups

/** The columns of entries, and what they have in common, in documents by number. */
function entriesOf(postings: readonly Posting[], transactions: readonly { readonly id: string }[]) {
  const abouts = new Map<string, object>()
  const lines = postings.flatMap(({ lines, key: _, digest: __, actor: ___, ...posting }, index) => {
    const transactionId = transactions[index]?.id
    return lines.map(({ account, amount, balance, counterparty, purpose = {} }) => {
      const { key, sessionId, runId, quantity, ...own } = { ...posting, ...purpose }
      const { agentId, modelProvider, modelId, toolName, price } = own
      const common = [index, account.id, counterparty, agentId, modelProvider, modelId, toolName, price?.id]
      const name = common.join('\n')
      const about = (abouts.get(name) as { n: number } | undefined) ?? {
        ...{ ...own, n: abouts.size, owner: account.owner, transactionId },
        ...{ accountId: account.id, counterparty }
      }
      abouts.set(name, about)
      return { key, sessionId, runId, quantity, amount, balance, n: about.n }
    })
  })
  return [
    lines.map(() => newId('entry')),
    lines.map(({ amount }) => String(amount)),
    lines.map(({ balance }) => String(balance)),
    lines.map(({ key }) => key ?? null),
    lines.map(({ sessionId }) => sessionId ?? null),
    lines.map(({ runId }) => runId ?? null),
    lines.map(({ quantity }) => (quantity ? JSON.stringify(quantity) : null)),
    lines.map(({ n }) => n),
    JSON.stringify([...abouts.values()])
  ]
}

/** Transactions and their entries: only ever added to. */
export function createLedgerStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  /** The rows of transactions, and what else one statement does. */
  function insert(trx: Trx, postings: readonly Posting[], more: Readonly<Record<string, Fragment>>) {
    const transactions = postings.map((posting) => ({
      ...posting,
      id: newId('transaction'),
      lines: undefined
    }))
    const made = { text: madeText, values: [JSON.stringify(transactions)] }
    const entry = { text: entryText, values: entriesOf(postings, transactions) }
    const parts = { made, entry, ...more }
    return hot.together<{ id: string }>('credits.post', parts, 'select id from made', trx)
  }

  /** On accounts whose balances nobody else changes meanwhile, and which are changed apart. */
  async function insertAll(
    trx: Trx,
    postings: readonly Posting[],
    more: Readonly<Record<string, Fragment>>
  ): Promise<void> {
    const made = await insert(trx, postings, more)
    // What was left out would be counted in the balances of those behind it.
    if (made.length < postings.length) throw new Error('A transaction of the ledger was made before')
  }

  return {
    insertAll,

    findByKey: (project: string, key: string, on: Trx | Kernel['knex'] = knex): Promise<Posted | undefined> =>
      on('credits.transaction').where({ project, key }).first('id', 'digest'),

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
