import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from '../../kernel/database/connect.ts'
import { within } from '../../kernel/database/deadline.ts'
import { lineOf } from '../faults.ts'
import type { Check, Finding } from './finding.ts'
import { ok, problem } from './finding.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

const HEARD_MS = 3_000
const CHANNEL = 'platform_doctor'
const advice = 'name the server itself in DATABASE_URL, and the pooler in DATABASE_POOL_URL'

/** What of a connection of `pg` is used here. */
interface Client {
  query(
    query: string | { name: string; text: string; values: unknown[] },
    values?: unknown[]
  ): Promise<unknown>
  on(event: 'notification', hear: (heard: { payload?: string }) => void): void
  removeListener(event: 'notification', hear: (heard: { payload?: string }) => void): void
}

/** What a pooler breaks that gives each transaction another connection of the server. */
export const transportChecks = (target: Target): readonly Check[] => [
  onDatabase(target, 'notifications', notifications),
  onDatabase(target, 'prepared statements', prepared)
]

async function onTwo<T>(knex: Knex, work: (one: Client, other: Client) => Promise<T>): Promise<T> {
  const one = await knex.client.acquireConnection()
  const other = await knex.client.acquireConnection().catch(async (error: unknown) => {
    await knex.client.releaseConnection(one)
    throw error
  })
  try {
    return await work(one, other)
  } finally {
    await Promise.all([knex.client.releaseConnection(one), knex.client.releaseConnection(other)])
  }
}

/** Notified on one connection, received on the other. */
const notifications = (knex: Knex): Promise<Finding> =>
  onTwo(knex, async (hearer, teller) => {
    const word = randomUUID()
    const { promise, resolve } = Promise.withResolvers<void>()
    const hear = ({ payload }: { payload?: string }) => {
      if (payload === word) resolve()
    }
    hearer.on('notification', hear)
    try {
      await hearer.query(`listen ${CHANNEL}`)
      await teller.query('select pg_notify($1, $2)', [CHANNEL, word])
      return await within(HEARD_MS, promise).then(
        () => ok('a notification was heard'),
        () => problem('a notification was sent and not heard: instances do not hear of each other', advice)
      )
    } finally {
      hearer.removeListener('notification', hear)
      await hearer.query(`unlisten ${CHANNEL}`).catch(() => undefined)
    }
  })

/** Used again while the connection of the server that it was prepared on is busy, if it is not this client's own. */
async function prepared(knex: Knex, { hot }: Database): Promise<Finding> {
  const statement = { name: `doctor_${randomUUID()}`, text: 'select $1::int as number', values: [1] }
  try {
    await hot.query('doctor.probe', 'select $1::int as number', [1])
    await onTwo(knex, async (client, other) => {
      await client.query(statement)
      await other.query('begin')
      try {
        await client.query(statement)
      } finally {
        await other.query('rollback')
      }
    })
    return ok('supported')
  } catch (error) {
    return problem(`not supported: ${lineOf(error)}`, advice)
  }
}
