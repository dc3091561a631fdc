import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { openDatabase } from '../kernel/database/connect.ts'
import type { Hot } from '../kernel/database/hot.ts'
import { down, up } from '../kernel/database/migrations/0005-create-fact.ts'
import type { Trx } from '../kernel/database/transaction.ts'
import type { Fact } from '../kernel/events/fact.ts'
import type { Facts } from '../kernel/events/facts.ts'
import { createFacts } from '../kernel/events/facts.ts'
import type { Listener } from '../kernel/events/facts-delivery.ts'
import type { Principal } from '../kernel/identity/ownership.ts'
import type { Connection } from './database.ts'
import { database } from './database.ts'

type Scope = Parameters<typeof database>[0]
type Order = Parameters<typeof createFacts>[0]
type Options = Partial<Pick<Order, 'signals' | 'log'>> &
  Order['pace'] & {
    /** By another way than the test's own. */
    readonly way?: Connection
    /** Milliseconds without a statement after which its transactions end. */
    readonly idleMs?: number
  }

export const by: Principal = {
  id: 'user_1',
  type: 'user',
  project: 'default',
  owner: 'user_1',
  scopes: new Set(),
  narrowed: false,
  credential: 'key_1'
}

/**
 * Resolves when these packs have handled or held all that was recorded before; rejects when it cannot be known. It looks so
 * often, which costs something.
 */
export async function settled(
  knex: Knex,
  facts: Pick<Facts, 'look'>,
  packs: () => ReadonlyMap<string, Listener>,
  everyMs = 10
): Promise<void> {
  const { rows } = await knex.raw(
    'select transaction, position from kernel.fact order by transaction desc, position desc limit 1'
  )
  while (rows.length > 0) {
    const { transaction, position } = rows[0]
    const { rowCount: behind } = await knex.raw(
      `select from unnest(?::text[]) pack left join kernel.fact_cursor c using (pack)
        where c.pack is null or (c.transaction, c.position) < (?::xid8, ?::bigint)
           or exists (select from kernel.fact_held h
                       where h.pack = c.pack and h."parkedAt" is null and h."nextAt" <= now())`,
      [[...packs().keys()], transaction, position]
    )
    if (behind === 0) return
    facts.look()
    await delay(everyMs)
  }
}

/** A database with the tables of facts, and one that keeps what handlers did. */
export async function prepare(t: Scope) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema kernel')
  await up(knex)
  await down(knex)
  await up(knex)
  await knex.raw('create table effect (id serial, pack text, fact text, subject text, n int)')

  /** The facts of one instance, with a pool of its own. Signals reach nobody unless given. */
  function instance(
    packs: Map<string, Listener>,
    { signals = deaf, log = pino({ level: 'silent' }), way = connection, idleMs, ...pace }: Options = {}
  ) {
    const own = openDatabase(way, undefined, undefined, idleMs)
    let looks = 0
    const counted: Hot = {
      ...own.hot,
      query: (name, text, values) => {
        if (name === 'facts.probe') looks++
        return own.hot.query(name, text, values)
      }
    }
    const facts = createFacts({
      knex: own.knex,
      hot: counted,
      signals,
      log,
      listeners: () => packs,
      pace: { pollMs: 20, ...pace }
    })
    t.teardown(async () => {
      await facts.close()
      await own.close()
    })
    return {
      facts: { ...facts, settled: () => settled(own.knex, facts, () => packs) },
      /** How often it was looked whether there is something to deliver. */
      looks: () => looks,
      knex: own.knex
    }
  }
  return { connection, knex, instance, effects: (pack?: string) => effects(knex, pack) }
}

const deaf = {
  send: () => undefined,
  on: () => ({ [Symbol.dispose]: () => undefined }),
  onChange: () => ({ [Symbol.dispose]: () => undefined })
}

export const record = (knex: Knex, facts: Facts, subject: string, n: number, name = 'shop.sold') =>
  knex.transaction((trx) => facts.record(trx, name, by, { subject, owner: by.owner, data: { n } }))

/** A pack that writes each fact down, after `before` let it. */
export function listener(
  pack: string,
  before: (fact: Fact<{ n: number }>) => unknown = () => undefined,
  names = ['shop.sold']
): Listener {
  return oneByOne(names, async (fact, trx) => {
    const { n } = fact.data as { n: number }
    await trx('effect').insert({ pack, fact: fact.id, subject: fact.subject, n })
    await before(fact as Fact<{ n: number }>)
  })
}

/** A pack that is handed one fact at a time. */
export const oneByOne = (
  names: readonly string[],
  handle: (fact: Fact, trx: Trx) => Promise<void>
): Listener => ({
  names: new Set(names),
  batches: new Map(),
  async handle(_, facts, trx) {
    for (const fact of facts) await handle(fact, trx)
  }
})

async function effects(
  knex: Knex,
  pack?: string
): Promise<{ pack: string; fact: string; subject: string; n: number }[]> {
  const query = knex('effect').orderBy('id')
  return pack === undefined ? query : query.where({ pack })
}

export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found) return found
    await delay(20)
  }
}
