import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import { pino } from 'pino'
import { database } from '../../test/database.ts'
import { down, up } from '../data/migrations/0005-create-fact.ts'
import type { Principal } from '../ownership.ts'
import type { Fact } from './fact.ts'
import type { Facts } from './facts.ts'
import { createFacts } from './facts.ts'
import type { Listener } from './facts-delivery.ts'

type Scope = Parameters<typeof database>[0]
type Options = Partial<Parameters<typeof createFacts>[0]>

export const by: Principal = {
  id: 'user_1',
  type: 'user',
  project: 'default',
  owner: 'user_1',
  scopes: new Set(),
  narrowed: false,
  credential: 'key_1'
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
  function instance(packs: Map<string, Listener>, options: Options = {}) {
    const own = knexFactory({ client: 'pg', connection, pool: { min: 0, max: 8 } })
    const signals = {
      send: () => undefined,
      on: () => ({ [Symbol.dispose]: () => undefined }),
      onChange: () => ({ [Symbol.dispose]: () => undefined })
    }
    const facts = createFacts({
      knex: own,
      signals,
      log: pino({ level: 'silent' }),
      listeners: () => packs,
      ...options
    })
    t.teardown(async () => {
      await facts.close()
      await own.destroy()
    })
    return { facts, knex: own }
  }
  return { connection, knex, instance, effects: (pack?: string) => effects(knex, pack) }
}

export const record = (knex: Knex, facts: Facts, subject: string, n: number, name = 'shop.sold') =>
  knex.transaction((trx) => facts.record(trx, name, by, { subject, owner: by.owner, data: { n } }))

/** A pack that writes each fact down, after `before` let it. */
export function listener(
  pack: string,
  before: (fact: Fact<{ n: number }>) => unknown = () => undefined,
  names = ['shop.sold']
): Listener {
  return {
    names: new Set(names),
    async handle(fact, trx) {
      const { n } = fact.data as { n: number }
      await trx('effect').insert({ pack, fact: fact.id, subject: fact.subject, n })
      await before(fact as Fact<{ n: number }>)
    }
  }
}

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
