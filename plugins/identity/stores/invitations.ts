import type { Kernel, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Knex } from 'knex'
import type { Role } from './members.ts'

export interface InvitationRow {
  readonly project: string
  readonly id: string
  /** Who invited. */
  readonly owner: string
  readonly email: string
  /** In the project; null: to the platform alone. */
  readonly role: Role | null
  readonly isOperator: boolean
  /** An operator made it, and no owner of the project. */
  readonly byOperator: boolean
  readonly secretHash: Buffer
  readonly expiresAt: string
  readonly createdAt: string
}
export type InvitationStore = ReturnType<typeof createInvitationStore>

/** Invitations that were neither accepted nor taken back. */
export function createInvitationStore({ knex }: Pick<Kernel, 'knex'>) {
  const open = (on: Kernel['knex'] | Trx = knex) =>
    on('identity.invitation').where('expiresAt', '>', new Date())
  const ofPlatform = (query: Knex.QueryBuilder) =>
    query.where((which) =>
      which.whereNull('role').orWhere({ isOperator: true }).orWhere({ byOperator: true })
    )
  return {
    async insert(trx: Trx, invitation: Omit<InvitationRow, 'createdAt'>): Promise<InvitationRow> {
      const [made] = await trx('identity.invitation').insert(invitation).returning('*')
      return made
    },
    find: (id: string, secretHash: Buffer): Promise<InvitationRow | undefined> =>
      open().where({ id, secretHash }).first(),
    list: (project: string, page: Paging) =>
      paginate<InvitationRow>(open().where({ project }).whereNotNull('role'), page, 'invitation'),

    /** To the platform alone, as one of its operators, or made by one. */
    listOfPlatform: (page: Paging) => paginate<InvitationRow>(ofPlatform(open()), page, 'invitation'),
    removeOfPlatform: async (trx: Trx, id: string): Promise<InvitationRow | undefined> =>
      (await ofPlatform(trx('identity.invitation').where({ id })).delete().returning('*'))[0],

    /** Removes it: of those that accept it at the same time one alone gets it. */
    async take(trx: Trx, id: string, secretHash: Buffer): Promise<InvitationRow | undefined> {
      const [taken] = await open(trx).where({ id, secretHash }).delete().returning('*')
      return taken
    },
    /** All for that address. */
    listOf: (trx: Trx, email: string): Promise<InvitationRow[]> => open(trx).where({ email }),
    takeAll: (trx: Trx, invitations: readonly InvitationRow[]): Promise<InvitationRow[]> =>
      open(trx)
        .whereIn(
          'id',
          invitations.map(({ id }) => id)
        )
        .delete()
        .returning('*'),
    /** Those that a person made, in one project or everywhere. */
    removeOf: (trx: Trx, owner: string, project?: string): Promise<number> =>
      trx('identity.invitation')
        .where({ owner, ...(project !== undefined && { project }) })
        .delete(),
    remove: (trx: Trx, project: string, id: string): Promise<number> =>
      trx('identity.invitation').where({ project, id }).whereNotNull('role').delete(),
    removeExpired: (): Promise<number> =>
      knex('identity.invitation').where('expiresAt', '<', new Date()).delete()
  }
}
