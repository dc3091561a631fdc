import type { Fragment, Kernel, Trx } from 'agent-platform'
import type { Account, Due, Reservation } from '../rows.ts'
import { toAccount } from './accounts.ts'
import type { Price } from './prices.ts'
import { toPrice } from './prices.ts'
import type { Key, StoredReservation } from './reservations.ts'
import { toReservation } from './reservations.ts'

export type DueStore = ReturnType<typeof createDueStore>

/** What is to be charged to a reservation, once for its key. */
export interface NewDue extends Key {
  readonly key: string
  readonly due: Due
}
/** Reservations and what it takes to charge what is due. */
export interface OpenDue {
  readonly reservations: readonly Reservation[]
  readonly accounts: ReadonlyMap<string, Account>
  readonly prices: readonly Price[]
  readonly projectsWithCaps: readonly string[]
}
/** A reservation, or what else there is to know. */
type Row = StoredReservation & {
  readonly rest: {
    readonly accounts: readonly Account[] | null
    readonly prices: readonly Parameters<typeof toPrice>[0][] | null
    readonly posted: readonly { readonly project: string; readonly key: string }[] | null
    readonly projectsWithCaps: readonly string[] | null
  } | null
}
/** As the driver gives times: prices and reservations are compared by them. */
const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
// Amounts as texts: a number of JSON would lose digits.
const amountsOf = (names: readonly string[]) => names.map((name) => `"${name}"::text`).join(', ')
// Each is looked for by itself: any other plan than by index would go through all that were ever there.
const found = (columns: string, more = '') => `unnest($1::text[], $2::text[]) as k(project, id),
    lateral (select ${columns} from credits.reservation r where r.project = k.project and r.id = k.id${more}) r`
const openText = `select r.project, r.id from ${found('r.project, r.id', ' limit 1')}`
const columns = `project, id, owner, "accountId", amount, calls, caps, "agentId", "sessionId", "modelProvider", "modelId", "isRun",
    "createdAt", "settledAt"`
const openedText = `select r.* from ${found('*', ' for update')}`
const ownText = `select distinct project, owner, "accountId" from open`
// Of calls also which were charged before.
const postedText = `select p.project, p.key from own, unnest($1::text[]) as k(key),
    lateral (select e.project, e.key from credits.entry e where e.project = own.project and e.key = k.key limit 1) p`
const noneText = 'select null::text as project, null::text as key where false'
const restText = `select json_build_object(
    'accounts', (select json_agg(a) from (
      select project, id, owner, kind, ${amountsOf(['balance', 'reserved'])} from credits.account
      where id = any(array(select "accountId" from own union all select unnest($1::text[])))) a),
    'prices', (select json_agg(p) from (
      select project, id, owner, kind, target, ${amountsOf(['input', 'cached', 'cacheWrite', 'output', 'call'])},
        ${isoTime('"createdAt"')} as "createdAt"
      from credits.price where project = any(array(select project from own))
      order by credits.price."createdAt" desc) p),
    'posted', (select json_agg(p) from posted p),
    'projectsWithCaps', (
      select json_agg(c.project) from (select c.project from credits.cap c join own on own.project = c.project and own.owner = c.owner
        union select project from open where cardinality(caps) > 0) c)) as rest`
const dueText = `select ${columns}, null::json as rest from open union all
  select ${columns
    .split(',')
    .map(() => 'null')
    .join(', ')}, rest from rest`
const settledText = `update credits.reservation r set amount = v.amount, calls = v.calls,
    "settledAt" = case when v."isSettled" then coalesce(r."settledAt", now()) end
  from jsonb_to_recordset($1::jsonb) as v(project text, id text, amount bigint, calls bigint, "isSettled" boolean)
  where r.project = v.project and r.id = v.id returning r.id`
const overText = `delete from credits.reservation r
  where r.project = any($1::text[]) and r.id = any($2::text[]) returning r.id`
const takenText = `delete from credits.due d using jsonb_to_recordset($1::jsonb) as v(project text, id text, key text)
  where d.project = v.project and d."reservationId" = v.id and d.key = v.key
  returning d.project, d."reservationId" as id, d.key, d.due`

/** What is to be charged to reservations. */
export function createDueStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  return {
    /** Of these, those whose reservation is there. Locks nothing. */
    async listOpen(trx: Trx, due: readonly NewDue[]): Promise<readonly NewDue[]> {
      const open = { text: openText, values: valuesOf(due) }
      const found = await hot.together<Key>('credits.open', { open }, 'select * from open', trx)
      const ids = new Set(found.map(textOf))
      return due.filter((one) => ids.has(textOf(one)))
    },

    /** What a version before this one noted, behind that. */
    list(limit: number, after?: NewDue): Promise<NewDue[]> {
      const query = knex('credits.due')
      if (after)
        query.whereRaw('(project, "reservationId", key) > (?, ?, ?)', [after.project, after.id, after.key])
      return query
        .orderBy(['project', 'reservationId', 'key'])
        .limit(limit)
        .select('project', 'reservationId as id', 'key', 'due')
    },

    /** Of these what is still there, which it is not from now on. */
    async take(trx: Trx, due: readonly NewDue[]): Promise<readonly NewDue[]> {
      const keys = due.map(({ project, id, key }) => ({ project, id, key }))
      const { rows } = await trx.raw(takenText.replace('$1', '?'), [JSON.stringify(keys)])
      return rows
    },

    /**
     * The reservations that something is due for, as they stay until the transaction ends, with their accounts and the others,
     * all versions of prices of their projects, the latest first, and in which of those their owners have caps.
     */
    async lock(trx: Trx, open: readonly (Key | NewDue)[], others: readonly string[]): Promise<OpenDue> {
      const due = open.filter((one) => 'due' in one)
      // Always in the same order.
      const keys = [...new Map(open.map((one) => [textOf(one), one]))].sort(([a], [b]) => (a < b ? -1 : 1))
      const calls = due.filter(({ due }) => !('run' in due)).map(({ key }) => key)
      const parts = {
        open: { text: openedText, values: valuesOf(keys.map(([, key]) => key)) },
        own: { text: ownText, values: [] },
        posted: calls.length > 0 ? { text: postedText, values: [calls] } : { text: noneText, values: [] },
        rest: { text: restText, values: [[...others]] }
      }
      const rows = await hot.together<Row>('credits.due', parts, dueText, trx)
      const rest = rows.at(-1)?.rest
      const posted = new Set(rest?.posted?.map(({ project, key }) => textOf({ project, id: key })))
      const byId = Map.groupBy(due, textOf)
      // Calls before the run that they belong to; each once.
      const dueOf = (key: Key) =>
        [...new Map((byId.get(textOf(key)) ?? []).map((one) => [one.key, one])).values()]
          .map(({ project, key, due }) => ({ key, due, isPosted: posted.has(textOf({ project, id: key })) }))
          .toSorted((a, b) => Number('run' in a.due) - Number('run' in b.due))
      return {
        reservations: rows
          .slice(0, -1)
          .map(({ rest: _, ...row }) => ({ ...toReservation(row), due: dueOf(row) })),
        accounts: new Map(rest?.accounts?.map((account) => [account.id, toAccount(account)])),
        prices: (rest?.prices ?? []).map(toPrice),
        projectsWithCaps: rest?.projectsWithCaps ?? []
      }
    },

    /** What is left of them, once what was due is charged: nothing of those that no call of a tool is charged to any more. */
    settle(reservations: readonly Reservation[]): Readonly<Record<string, Fragment>> {
      const over = reservations.filter(isOver)
      const kept = reservations.filter((reservation) => !isOver(reservation))
      const rows = kept.map(({ project, id, amount, calls, isSettled }) => ({
        ...{ project, id, isSettled },
        amount: String(amount),
        calls: String(calls)
      }))
      return {
        ...(kept.length > 0 && { reservation: { text: settledText, values: [JSON.stringify(rows)] } }),
        ...(over.length > 0 && {
          over: {
            text: overText,
            values: [[...new Set(over.map(({ project }) => project))], over.map(({ id }) => id)]
          }
        })
      }
    }
  }
}

const valuesOf = (keys: readonly Key[]) => [keys.map(({ project }) => project), keys.map(({ id }) => id)]
const textOf = ({ project, id }: Key): string => `${project}\n${id}`
const isOver = ({ isSettled, due }: Reservation): boolean =>
  isSettled &&
  due?.some(({ due }) => 'asked' in due || 'media' in due || ('run' in due && due.run.isAlone)) === true
