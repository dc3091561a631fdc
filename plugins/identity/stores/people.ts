import type { Kernel, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import { HOME } from '../home.ts'

/** Someone who signs in. */
export interface PersonRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  readonly isOperator: boolean
  readonly disabledAt: string | null
  /** When a provider elsewhere said that the mailbox is the person's; null: an invitation alone named it. */
  readonly addressProvedAt: string | null
  readonly createdAt: string
}
export type PersonStore = ReturnType<typeof createPersonStore>

/** By the address in small letters, of which there is one each. */
export function createPersonStore({ knex }: Pick<Kernel, 'knex'>) {
  const people = (on: Kernel['knex'] | Trx = knex) => on('identity.person').where({ project: HOME })
  return {
    find: (id: string): Promise<PersonRow | undefined> => people().where({ id }).first(),
    /** It is neither disabled nor enabled until the transaction ends. */
    findHeld: (trx: Trx, id: string): Promise<PersonRow | undefined> =>
      people(trx).where({ id }).forShare().first(),
    findByEmail: (email: string): Promise<PersonRow | undefined> =>
      people().where({ email: email.toLowerCase() }).first(),
    listByIds: (ids: readonly string[]): Promise<PersonRow[]> => people().whereIn('id', [...ids]),
    list: (page: Paging) => paginate<PersonRow>(people(), page, 'person'),

    /** Undefined where someone has that address. */
    async insert(
      trx: Trx,
      person: Pick<PersonRow, 'id' | 'email' | 'name' | 'passwordHash' | 'isOperator' | 'addressProvedAt'>
    ): Promise<PersonRow | undefined> {
      const row = { ...person, email: person.email.toLowerCase(), project: HOME, owner: person.id }
      const [made] = await trx('identity.person')
        .insert(row)
        .onConflict(['project', 'email'])
        .ignore()
        .returning('*')
      return made
    },

    /** The person as it is then; undefined where there is none. */
    async update(
      trx: Trx,
      id: string,
      changes: Partial<
        Pick<PersonRow, 'email' | 'passwordHash' | 'isOperator' | 'disabledAt' | 'addressProvedAt'>
      >
    ): Promise<PersonRow | undefined> {
      const [changed] = await people(trx).where({ id }).update(changes).returning('*')
      return changed
    }
  }
}
