import { pino } from 'pino'
import type { Test } from 'tap'
import type { Failure } from '../kernel/contract/errors.ts'
import * as instanceMigration from '../kernel/database/migrations/0001-create-instance.ts'
import * as credentialMigration from '../kernel/database/migrations/0002-create-credential.ts'
import * as narrowedMigration from '../kernel/database/migrations/0012-add-credential-narrowed.ts'
import * as closedMigration from '../kernel/database/migrations/0013-add-project-closed-at.ts'
import * as rootMigration from '../kernel/database/migrations/0014-add-credential-root.ts'
import { createPresence } from '../kernel/database/presence.ts'
import { createTransaction } from '../kernel/database/transaction.ts'
import { createSignals } from '../kernel/events/signals.ts'
import type { KernelCredentials } from '../kernel/identity/credentials.ts'
import { createCredentials } from '../kernel/identity/credentials.ts'
import type { Grant } from '../kernel/identity/grants.ts'
import type { Principal } from '../kernel/identity/ownership.ts'
import type { KeyOrder } from '../kernel/identity/project-keys.ts'
import { createTokens } from '../kernel/identity/tokens.ts'
import { database } from './database.ts'

export const log = pino({ level: 'silent' })
export const failing = (wanted: Partial<Pick<Failure, 'kind' | 'code' | 'param'>>) => wanted as Error
export const noTokens = createTokens({ baseUrl: 'http://localhost', log })
export const service: KeyOrder = { name: 'ci', project: 'default', type: 'service' }

export async function migrated(t: Test) {
  const base = await database(t)
  await base.knex.raw('create schema kernel')
  await instanceMigration.up(base.knex)
  await credentialMigration.up(base.knex)
  await narrowedMigration.up(base.knex)
  await closedMigration.up(base.knex)
  await rootMigration.up(base.knex)
  return base
}
export type Base = Awaited<ReturnType<typeof migrated>>

/** One instance of the platform, with signals of its own over the shared database. */
export const instance = async (t: Test, base: Base) => (await instanceOf(t, base)).credentials

/** The same with what it is made of. */
export async function instanceOf(t: Test, { connection, knex }: Base) {
  const presence = createPresence({ connection, log })
  const signals = createSignals({ presence, knex, log })
  await presence.start()
  const transaction = createTransaction(knex)
  const credentials = createCredentials({ knex, signals, tokens: noTokens, transaction })
  t.teardown(async () => {
    await signals.close()
    await presence.close()
  })
  return { credentials, signals, transaction }
}

export async function held(credentials: KernelCredentials, token: string): Promise<Grant> {
  const grant = await credentials.resolve(token)
  if (!grant) throw new Error('The token did not resolve')
  return grant
}
export const asked = async (credentials: KernelCredentials, order: KeyOrder): Promise<Principal> =>
  (await held(credentials, await credentials.createKey(order))).principal
