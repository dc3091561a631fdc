import type { Fragment, Kernel, Trx } from 'agent-platform'
import { single, textGiven } from 'agent-platform'
import type { Reservation } from '../rows.ts'

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

export type Key = Pick<Reservation, 'project' | 'id'>
/** As it is read: amounts are texts. */
export type StoredReservation = Omit<Reservation, 'isSettled'> & { settledAt: string | null }

// What many have in common is said once: taking a document apart costs as much as inserting what is in it.
const wantText = `select i.n, i.id, i."sessionId", t.project, t.owner, t."accountId", t.amount, t.caps, t."agentId", t."modelProvider",
    t."modelId"
  from unnest($1::text[], $2::text[], $3::int[]) with ordinality as i(id, "sessionId", terms, n)
  join jsonb_to_recordset($4::jsonb) as t(n int, project text, owner text, "accountId" text, amount bigint, caps text[], "agentId" text,
    "modelProvider" text, "modelId" text) on t.n = i.terms`
// What is locked is read as it is now, and not as the statement found it; so what others reserved meanwhile counts.
const lacking = `with account as materialized (select a.id, a.balance - a.reserved as available from credits.account a
    where a.id = any (array(select distinct "accountId" from credits_want)) order by a.id for update)`
const overAccount = `select w.id from (
    select id, "accountId", sum(amount) over (partition by "accountId" order by n) as total from credits_want) w
  left join account a on a.id = w."accountId" where coalesce(w.total > a.available, true)`
const refusedText = `${lacking} ${overAccount}`
const refusedByCapsText = `${lacking},
  cap as materialized (select c.id, c."limit" - c.reserved -
      case when c."window" = credits.window_of(c.period) then c.spent else 0 end as available
    from credits.cap c, (select count(*) from account) after
    where c.id = any (array(select unnest(caps) from credits_want)) order by c.id for update of c)
  ${overAccount}
  union select w.id from (
    select w.id, k.cap, sum(w.amount) over (partition by k.cap order by w.n) as total
      from credits_want w, unnest(w.caps) as k(cap)) w
  join cap c on c.id = w.cap where w.total > c.available`
// One alone, without a cap: taking a document apart is half of the others.
const refusedOneText = `with account as materialized (
    select a.balance - a.reserved as available from credits.account a where a.id = $1 for update)
  select $2::text as id where not exists (select from account where available >= $3::bigint)`
const columnsOfOne = `project, id, owner, "accountId", amount, "agentId", "sessionId", "modelProvider", "modelId", "isRun"`
const insertOneText = textGiven(
  (begun: string) => `insert into credits.reservation (${columnsOfOne})
  select $1, $2, $3, $4, $5::bigint, $6, $7, $8, $9, true where exists (select from ${begun} b where b.id = $2) returning id`
)
const accountOneText = `update credits.account a set reserved = a.reserved + $2::bigint
  where a.id = $1 and exists (select from credits_reservation) returning a.id`
const insertText = textGiven(
  (
    begun: string
  ) => `insert into credits.reservation (project, id, owner, "accountId", amount, caps, "agentId", "sessionId", "modelProvider", "modelId", "isRun")
    select w.project, w.id, w.owner, w."accountId", w.amount, w.caps, w."agentId", w."sessionId", w."modelProvider", w."modelId", true from credits_want w
      where exists (select from ${begun} b where b.id = w.id)
    returning "accountId", amount, caps`
)
const accountText = `update credits.account a set reserved = a.reserved + x.amount
  from (select "accountId", sum(amount) as amount from credits_reservation group by "accountId") x where a.id = x."accountId"
  returning a.id`
const capText = `update credits.cap c set reserved = c.reserved + x.amount
  from (select k.id, sum(r.amount) as amount from credits_reservation r, unnest(r.caps) as k(id) group by k.id) x
  where c.id = x.id returning c.id`

/** The ids of runs and sessions, and of each which of the terms it has. */
function valuesOf(wanted: readonly Wanted[]) {
  const terms = new Map<string, object>()
  const numbers = wanted.map(({ id: _, sessionId: __, ...one }) => {
    const { accountId, amount, caps, agentId, modelProvider, modelId } = one
    const key = [accountId, amount, agentId, modelProvider, modelId, ...caps].join('\n')
    const known = terms.get(key) as { readonly n: number } | undefined
    if (known) return known.n
    terms.set(key, { ...one, n: terms.size })
    return terms.size - 1
  })
  const [ids, sessionIds] = [wanted.map(({ id }) => id), wanted.map(({ sessionId }) => sessionId)]
  return [ids, sessionIds, numbers, JSON.stringify([...terms.values()])]
}

/** What a run alone is reserved for, as most are while there is little to do. */
function aloneOf(wanted: readonly Wanted[]): Wanted | undefined {
  const one = single(wanted)
  return one?.caps.length === 0 ? one : undefined
}

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
export const toReservation = ({ amount, calls, settledAt, ...row }: StoredReservation): Reservation => ({
  ...row,
  amount: BigInt(String(amount)),
  calls: BigInt(String(calls)),
  isSettled: settledAt !== null
})

/** What is reserved. Who locks one and its account locks the reservation first. */
export function createReservationStore({ knex }: Pick<Kernel, 'knex'>) {
  const all = [...columns, 'createdAt', 'settledAt'] as const

  return {
    /** What is wanted, for the queries behind it. */
    listWanted: (wanted: readonly Wanted[]): Readonly<Record<string, Fragment>> =>
      aloneOf(wanted) ? {} : { credits_want: { text: wantText, values: valuesOf(wanted) } },

    /** The `id` of those that their account, or a cap, has no room for; locks accounts, then caps. */
    listRefused(wanted: readonly Wanted[]): Fragment {
      const one = aloneOf(wanted)
      if (one) return { text: refusedOneText, values: [one.accountId, one.id, one.amount] }
      const isCapped = wanted.some(({ caps }) => caps.length > 0)
      return { text: isCapped ? refusedByCapsText : refusedText, values: [] }
    },

    /** Reserves for those whose id is in the query `begun`. */
    takeGiven(wanted: readonly Wanted[], begun: string): Readonly<Record<string, Fragment>> {
      const one = aloneOf(wanted)
      if (one) {
        const { project, id, owner, accountId, amount, agentId, sessionId, modelProvider, modelId } = one
        const values = [project, id, owner, accountId, amount, agentId, sessionId, modelProvider, modelId]
        return {
          credits_reservation: { text: insertOneText(begun), values },
          credits_account: { text: accountOneText, values: [accountId, amount] }
        }
      }
      return {
        credits_reservation: { text: insertText(begun), values: [] },
        credits_account: { text: accountText, values: [] },
        ...(wanted.some(({ caps }) => caps.length > 0) && { credits_cap: { text: capText, values: [] } })
      }
    },

    async find(project: string, id: string): Promise<Reservation | undefined> {
      const row = await knex('credits.reservation')
        .where({ project, id })
        .first(...all)
      return row && toReservation(row)
    },

    /** As it stays until the transaction ends; ahead of its account. */
    async lock(trx: Trx, project: string, id: string): Promise<Reservation | undefined> {
      const row = await trx('credits.reservation')
        .where({ project, id })
        .forUpdate()
        .first(...all)
      return row && toReservation(row)
    },

    /** A new one, on an account that is locked. */
    insert: (trx: Trx, { createdAt: _, isSettled: __, ...row }: Reservation) =>
      trx('credits.reservation').insert({ ...row, amount: String(row.amount), calls: String(row.calls) }),

    /** Of one that is locked, on an account that is. */
    update: (trx: Trx, { project, id, amount, calls, caps }: Reservation) =>
      trx('credits.reservation')
        .where({ project, id })
        .update({ amount: String(amount), calls: String(calls), caps, settledAt: null }),

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
