import type { Kernel, Trx } from 'agent-platform'
import { HOME } from '../home.ts'

/** What a person is at a provider elsewhere. */
interface AccountRow {
  readonly id: string
  /** The person. */
  readonly owner: string
  readonly issuer: string
  readonly subject: string
}
export type AccountStore = ReturnType<typeof createAccountStore>

/** By issuer and subject: an address may be given to another person there, a subject is not. */
export function createAccountStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (issuer: string, subject: string): Promise<AccountRow | undefined> =>
      knex('identity.account').where({ project: HOME, issuer, subject }).first(),
    findOf: (owner: string, issuer: string): Promise<AccountRow | undefined> =>
      knex('identity.account').where({ project: HOME, owner, issuer }).first(),
    /** False where that account is a person's already, or the person has another one of that issuer. */
    async insert(trx: Trx, row: AccountRow): Promise<boolean> {
      const made = await trx('identity.account')
        .insert({ ...row, project: HOME })
        .onConflict()
        .ignore()
        .returning('id')
      return made.length > 0
    }
  }
}
