import type { Kernel, Trx } from 'agent-platform'
import { HOME } from '../home.ts'

export interface PasswordResetRow {
  readonly id: string
  /** The person. */
  readonly owner: string
  readonly secretHash: Buffer
  readonly expiresAt: string
  readonly createdAt: string
}
export type PasswordResetStore = ReturnType<typeof createPasswordResetStore>

/** Links by which a person sets a new password, that were not used. */
export function createPasswordResetStore({ knex }: Pick<Kernel, 'knex'>) {
  const resets = (on: Kernel['knex'] | Trx = knex) => on('identity.password_reset').where({ project: HOME })
  const open = (on?: Trx) => resets(on).where('expiresAt', '>', new Date())
  return {
    /** In place of the one before. */
    async replace(trx: Trx, row: Omit<PasswordResetRow, 'createdAt'>): Promise<PasswordResetRow> {
      const [made] = await trx('identity.password_reset')
        .insert({ ...row, project: HOME })
        .onConflict(['project', 'owner'])
        .merge({ ...row, createdAt: new Date() })
        .returning('*')
      return made
    },
    find: (id: string, secretHash: Buffer): Promise<PasswordResetRow | undefined> =>
      open().where({ id, secretHash }).first(),
    /** Removes it: of those that use it at the same time one alone gets it. */
    async take(trx: Trx, id: string, secretHash: Buffer): Promise<PasswordResetRow | undefined> {
      const [taken] = await open(trx).where({ id, secretHash }).delete().returning('*')
      return taken
    },
    /** That of a person, used or not; its id where there was one that was still good. */
    async removeOf(trx: Trx, owner: string): Promise<string | undefined> {
      const [removed] = await resets(trx).where({ owner }).delete().returning(['id', 'expiresAt'])
      return removed && new Date(removed.expiresAt) > new Date() ? removed.id : undefined
    },
    removeExpired: (): Promise<number> => resets().where('expiresAt', '<', new Date()).delete()
  }
}
