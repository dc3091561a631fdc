import type { Knex } from 'knex'
import { up } from '../kernel/database/migrations/0004-create-idempotency.ts'
import { failureOf as failureFrom } from '../kernel/http/failures.ts'
import type { Attempt, KeyedRequest } from '../kernel/idempotency/idempotency.ts'
import { createIdempotency } from '../kernel/idempotency/idempotency.ts'
import { database } from './database.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

const log = { warn() {} }

export const request: KeyedRequest = {
  project: 'default',
  principal: 'user_1/user_1',
  method: 'POST',
  path: '/v1/goals?dry=false',
  key: 'key-1',
  body: { name: 'A goal', steps: [{ b: 1, a: 2 }] }
}
export const created = {
  status: 201,
  headers: { 'content-type': 'application/json', etag: '"1"', 'x-request-id': 'req_1', 'content-length': 42 },
  body: '{"data":{"id":"goal_1","name":"Zoë \\u0000"}}'
}
export const replay = {
  status: 201,
  headers: { 'content-type': 'application/json', etag: '"1"' },
  body: created.body
}

/** An instance is alive as long as the process whose id it has for a number. */
const isAlive = async (instance: number): Promise<boolean> => {
  try {
    return process.kill(instance, 0)
  } catch {
    return false
  }
}

export async function prepare(t: Scope) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema if not exists kernel')
  await up(knex)
  await knex.schema.createTable('change', (table) => table.text('by'))
  return { connection, knex, idempotency: instance(knex) }
}

export function instance(knex: Knex, id: () => number | undefined = () => process.pid) {
  return createIdempotency({ knex, instance: id, isAlive, log })
}

export type Begun = Awaited<ReturnType<ReturnType<typeof createIdempotency>['begin']>>

export function running(begun: Begun): Attempt {
  if ('replay' in begun) throw new Error('A reply was repeated where a run was expected')
  return begun.run
}

export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => undefined, failureFrom)

/** What a handler does: one change, in a transaction that says so. */
export const change = (knex: Knex, attempt: Attempt, by: string): Promise<void> =>
  knex.transaction(async (trx) => {
    await trx('change').insert({ by })
    await attempt.commit(trx)
  })
