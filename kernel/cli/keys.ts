import { createTransaction } from '../data/transaction.ts'
import { createCredentialStore } from '../gateway/credential-store.ts'
import type { Environment } from '../gateway/keys.ts'
import type { KeyOrder } from '../gateway/project-keys.ts'
import { createProjectKeys } from '../gateway/project-keys.ts'
import { withDatabase } from './database.ts'

interface Options {
  readonly name: string
  readonly type: KeyOrder['type']
  readonly project: string
  readonly principal?: string
  readonly scopes?: readonly string[]
  readonly env?: Environment
  readonly admin?: true
}

/** Prints the key and nothing else, so that a script can take it. */
export async function createKey({ env, ...options }: Options): Promise<void> {
  await withDatabase(async ({ knex }) => {
    const create = createProjectKeys(createCredentialStore(knex), createTransaction(knex))
    const key = await create({ ...options, ...(env && { environment: env }) })
    process.stdout.write(`${key}\n`)
  })
}
