import type { Kernel, Paging, Trx } from 'agent-platform'
import { lockName, paginate } from 'agent-platform'
import { HOME } from '../home.ts'

/** What a device proves that it has. */
export interface PasskeyRow {
  readonly id: string
  /** The person. */
  readonly owner: string
  /** As the device knows it, in base64url. */
  readonly credentialId: string
  /** COSE. */
  readonly publicKey: Buffer
  /** How often the device says that it was used; 0 for those that do not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Whether it is on other devices of the person as well. */
  readonly isSynced: boolean
  readonly name: string
  readonly lastUsedAt: string | null
  readonly createdAt: string
}
export type PasskeyStore = ReturnType<typeof createPasskeyStore>

export function createPasskeyStore({ knex }: Pick<Kernel, 'knex'>) {
  const passkeys = (on: Kernel['knex'] | Trx = knex) => on('identity.passkey').where({ project: HOME })
  const rowOf = (row: PasskeyRow | undefined) => row && { ...row, counter: Number(row.counter) }
  return {
    find: (id: string): Promise<PasskeyRow | undefined> => passkeys().where({ id }).first().then(rowOf),
    findByCredential: (credentialId: string): Promise<PasskeyRow | undefined> =>
      passkeys().where({ credentialId }).first().then(rowOf),
    list: (owner: string, page: Paging) => paginate<PasskeyRow>(passkeys().where({ owner }), page, 'passkey'),
    listCredentials: (owner: string): Promise<Pick<PasskeyRow, 'credentialId' | 'transports'>[]> =>
      passkeys().where({ owner }).select('credentialId', 'transports'),

    /** Undefined where that credential is there already, or the person has `most`. */
    async insert(
      trx: Trx,
      row: Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>,
      most: number
    ): Promise<PasskeyRow | undefined> {
      await lockName(trx, 'identity.passkey', row.owner)
      const known = await passkeys(trx).where({ owner: row.owner }).pluck('id')
      if (known.length >= most) return undefined
      const [made] = await trx('identity.passkey')
        .insert({ ...row, transports: [...row.transports], project: HOME })
        .onConflict(['project', 'credentialId'])
        .ignore()
        .returning('*')
      return rowOf(made)
    },
    async updateName(trx: Trx, id: string, name: string): Promise<PasskeyRow | undefined> {
      const [changed] = await passkeys(trx).where({ id }).update({ name }).returning('*')
      return rowOf(changed)
    },
    /** False where it was used meanwhile, or is gone. */
    async updateUse({ id, counter: before }: PasskeyRow, counter: number): Promise<boolean> {
      const changes = { counter, lastUsedAt: new Date() }
      return (await passkeys().where({ id, counter: before }).update(changes)) > 0
    },
    count: async (trx: Trx, owner: string): Promise<number> =>
      (await passkeys(trx).where({ owner }).pluck('id')).length,
    remove: (trx: Trx, id: string): Promise<number> => passkeys(trx).where({ id }).delete()
  }
}
