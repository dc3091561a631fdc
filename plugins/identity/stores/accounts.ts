import type { Kernel, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import { HOME } from '../home.ts'

/** What a person is at a provider elsewhere. */
export interface AccountRow {
  readonly id: string
  /** The person. */
  readonly owner: string
  readonly issuer: string
  readonly subject: string
  readonly createdAt: string
}
export type AccountStore = ReturnType<typeof createAccountStore>

/** By issuer and subject: an address may be given to another person there, a subject is not. */
export function createAccountStore({ knex }: Pick<Kernel, 'knex'>) {
  const accounts = (on: Kernel['knex'] | Trx = knex) => on('identity.account').where({ project: HOME })
  return {
    findById: (id: string): Promise<AccountRow | undefined> => accounts().where({ id }).first(),
    list: (owner: string, page: Paging) => paginate<AccountRow>(accounts().where({ owner }), page, 'account'),
    count: async (trx: Trx, owner: string): Promise<number> =>
      (await accounts(trx).where({ owner }).pluck('id')).length,
    remove: (trx: Trx, id: string): Promise<number> => accounts(trx).where({ id }).delete(),
    find: (issuer: string, subject: string): Promise<AccountRow | undefined> =>
      accounts().where({ issuer, subject }).first(),
    findOf: (owner: string, issuer: string): Promise<AccountRow | undefined> =>
      accounts().where({ owner, issuer }).first(),
    /** False where that account is a person's already, or the person has another one of that issuer. */
    async insert(trx: Trx, row: Omit<AccountRow, 'createdAt'>): Promise<boolean> {
      const made = await trx('identity.account')
        .insert({ ...row, project: HOME })
        .onConflict()
        .ignore()
        .returning('id')
      return made.length > 0
    }
  }
}
