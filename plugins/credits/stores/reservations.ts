import type { Fragment, Kernel, Trx } from 'agent-platform'
import type { Due, Reservation } from '../rows.ts'
import type { Price } from './prices.ts'
import { toPrice } from './prices.ts'

export type ReservationStore = ReturnType<typeof createReservationStore>

/** What is to be reserved for a run; JSON, amounts as texts. */
export interface Wanted {
  readonly id: string
  readonly project: string
  readonly owner: string
  readonly accountId: string
  readonly amount: string
  readonly caps: readonly string[]
  readonly agentId: string
  readonly sessionId: string
  readonly modelProvider: string
  readonly modelId: string
}

/** As the driver gives times: prices and reservations are compared by them. */
const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const recordset = `jsonb_to_recordset($1::jsonb) as w(n int, id text, project text, owner text, "accountId" text, amount bigint,
  caps text[], "agentId" text, "sessionId" text, "modelProvider" text, "modelId" text)`
// What is locked is read as it is now, and not as the statement found it; so what others reserved meanwhile counts.
const lacking = `with want as materialized (select * from ${recordset}),
  account as materialized (select a.id, a.balance - a.reserved as available from credits.account a
    where a.id = any (array(select distinct "accountId" from want)) order by a.id for update)`
const overAccount = `select w.id from (
    select id, "accountId", sum(amount) over (partition by "accountId" order by n) as total from want) w
  left join account a on a.id = w."accountId" where coalesce(w.total > a.available, true)`
const refusedText = `${lacking} ${overAccount}`
const refusedByCapsText = `${lacking},
  cap as materialized (select c.id, c."limit" - c.reserved -
      case when c."window" = credits.window_of(c.period) then c.spent else 0 end as available
    from credits.cap c, (select count(*) from account) after
    where c.id = any (array(select unnest(caps) from want)) order by c.id for update of c)
  ${overAccount}
  union select w.id from (
    select w.id, k.cap, sum(w.amount) over (partition by k.cap order by w.n) as total
      from want w, unnest(w.caps) as k(cap)) w
  join cap c on c.id = w.cap where w.total > c.available`
const insertTexts = new Map<string, string>()
const insertText = (begun: string): string => {
  const known = insertTexts.get(begun)
  if (known) return known
  const made = `insert into credits.reservation (project, id, owner, "accountId", amount, caps, "agentId", "sessionId", "modelProvider", "modelId", "isRun")
    select w.project, w.id, w.owner, w."accountId", w.amount, w.caps, w."agentId", w."sessionId", w."modelProvider", w."modelId", true from ${recordset}
      where exists (select from ${begun} b where b.id = w.id)
    returning "accountId", amount, caps`
  insertTexts.set(begun, made)
  return made
}
const accountText = `update credits.account a set reserved = a.reserved + x.amount
  from (select "accountId", sum(amount) as amount from credits_reservation group by "accountId") x where a.id = x."accountId"
  returning a.id`
const capText = `update credits.cap c set reserved = c.reserved + x.amount
  from (select k.id, sum(r.amount) as amount from credits_reservation r, unnest(r.caps) as k(id) group by k.id) x
  where c.id = x.id returning c.id`

// Amounts as texts: a number of JSON would lose digits.
const dueText = `select
    (select json_agg(r) from (
      select project, id, owner, "accountId", amount::text, calls::text, caps, "agentId", "sessionId", "modelProvider", "modelId", "isRun", due,
        ${isoTime('"createdAt"')} as "createdAt", "settledAt"
      from credits.reservation where id = any(?::text[])) r) as reservations,
    (select json_agg(p) from (
      select project, id, owner, kind, target, input::text, cached::text, output::text, call::text,
        ${isoTime('"createdAt"')} as "createdAt"
      from credits.price where project = any(?::text[]) order by credits.price."createdAt" desc) p) as prices,
    (select json_agg(distinct project) from credits.cap where project = any(?::text[]) and owner = any(?::text[]))
      as "projectsWithCaps"`

const valuesOf = (wanted: readonly Wanted[]) => [JSON.stringify(wanted.map((one, n) => ({ ...one, n })))]

const columns = [
  'project',
  'id',
  'owner',
  'accountId',
  'amount',
  'calls',
  'caps',
  'agentId',
  'sessionId',
  'isRun'
] as const
const toReservation = ({
  amount,
  calls,
  settledAt,
  ...row
}: Omit<Reservation, 'isSettled'> & { settledAt: string | null }): Reservation => ({
  ...row,
  amount: BigInt(String(amount)),
  calls: BigInt(String(calls)),
  isSettled: settledAt !== null
})

/** What is reserved. A reservation changes only while its account is locked. */
export function createReservationStore({ knex }: Pick<Kernel, 'knex'>) {
  const all = [...columns, 'createdAt', 'settledAt'] as const

  return {
    /** The `id` of those that their account, or a cap, has no room for; locks accounts, then caps. */
    listRefused: (wanted: readonly Wanted[]): Fragment => ({
      text: wanted.some(({ caps }) => caps.length > 0) ? refusedByCapsText : refusedText,
      values: valuesOf(wanted)
    }),

    /** Reserves for those whose id is in the query `begun`. */
    takeGiven: (wanted: readonly Wanted[], begun: string): Readonly<Record<string, Fragment>> => ({
      credits_reservation: { text: insertText(begun), values: valuesOf(wanted) },
      credits_account: { text: accountText, values: [] },
      ...(wanted.some(({ caps }) => caps.length > 0) && { credits_cap: { text: capText, values: [] } })
    }),

    async find(
      project: string,
      id: string,
      on: Kernel['knex'] | Trx = knex
    ): Promise<Reservation | undefined> {
      const row = await on('credits.reservation')
        .where({ project, id })
        .first(...all)
      return row && toReservation(row)
    },

    /** What is to be charged to them; those that are not there are left out. Locks no account. */
    async updateDue(trx: Trx, all: readonly { readonly id: string; readonly due: Due }[]): Promise<boolean> {
      const { rowCount } = await trx.raw(
        `update credits.reservation r set due = coalesce(r.due, '[]') || v.due
           from (select id, jsonb_agg(due) as due from jsonb_to_recordset(?::jsonb) as v(id text, due jsonb) group by id) v
          where r.id = v.id`,
        [JSON.stringify(all)]
      )
      return rowCount > 0
    },

    /** Those that something is to be charged to, behind that one. */
    listOpenDue(
      limit: number,
      after?: { readonly project: string; readonly id: string }
    ): Promise<{ project: string; id: string }[]> {
      const query = knex('credits.reservation').whereNotNull('due')
      if (after) query.whereRaw('(project, id) > (?, ?)', [after.project, after.id])
      return query.orderBy(['project', 'id']).limit(limit).select('project', 'id')
    },

    /** These, with all versions of prices of their projects, the latest first, and in which of those the owners have caps. */
    async listDue(
      trx: Trx,
      ids: readonly string[],
      projects: readonly string[],
      owners: readonly string[]
    ): Promise<{ reservations: Reservation[]; prices: Price[]; projectsWithCaps: string[] }> {
      const { rows } = await trx.raw(dueText, [[...ids], [...projects], [...projects], [...owners]])
      const { reservations, prices, projectsWithCaps } = rows[0]
      return {
        reservations: (reservations ?? []).map(toReservation),
        prices: (prices ?? []).map(toPrice),
        projectsWithCaps: projectsWithCaps ?? []
      }
    },

    /** A new one, on an account that is locked. */
    insert: (trx: Trx, { createdAt: _, isSettled: __, ...row }: Reservation) =>
      trx('credits.reservation').insert({ ...row, amount: String(row.amount), calls: String(row.calls) }),

    /** What is left of them, on accounts that are locked. */
    async update(trx: Trx, reservations: readonly Reservation[]): Promise<void> {
      const rows = reservations.map(({ id, amount, calls, isSettled, caps }) => ({
        id,
        amount: String(amount),
        calls: String(calls),
        isSettled,
        caps
      }))
      await trx.raw(
        `update credits.reservation r set amount = v.amount, calls = v.calls, caps = v.caps,
             "settledAt" = case when v."isSettled" then coalesce(r."settledAt", now()) end
           from jsonb_to_recordset(?::jsonb) as v(id text, amount bigint, calls bigint, "isSettled" boolean, caps text[]) where r.id = v.id`,
        [JSON.stringify(rows)]
      )
    },

    /** What calls outside of runs left open: their process died. The oldest first. */
    listLost: (hours: number, limit: number): Promise<{ project: string; id: string }[]> =>
      knex('credits.reservation')
        .where({ isRun: false })
        .whereNull('settledAt')
        .where('createdAt', '<', knex.raw(`now() - ? * interval '1 hour'`, [hours]))
        .orderBy('createdAt')
        .limit(limit)
        .select('project', 'id'),

    removeSettled: (days: number, limit: number): Promise<number> =>
      knex('credits.reservation')
        .whereIn(
          'id',
          knex('credits.reservation')
            .where('settledAt', '<', knex.raw(`now() - ? * interval '1 day'`, [days]))
            .limit(limit)
            .select('id')
        )
        .delete()
  }
}
