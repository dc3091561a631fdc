import type { Kernel } from 'agent-platform'

export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>

export interface SigningKeyRow {
  readonly project: string
  readonly generation: number
  /** SHA-256 of the public key (DER), in hex. */
  readonly keyId: string
  /** PEM. */
  readonly publicKey: string
  /** Null where another one signs in its place. */
  readonly sealed: string | null
  readonly createdAt: string
  readonly signsUntil: string
}

export function createSigningKeyStore({ knex, transaction }: Pick<Kernel, 'knex' | 'transaction'>) {
  const columns = [
    'project',
    'generation',
    'keyId',
    'publicKey',
    'sealed',
    'createdAt',
    'signsUntil'
  ] as const
  const keys = () => knex<SigningKeyRow>('provenance.signing_key')

  return {
    find: (keyId: string): Promise<SigningKeyRow | undefined> =>
      keys()
        .where({ keyId })
        .first(...columns) as unknown as Promise<SigningKeyRow | undefined>,

    findNewest: (project: string): Promise<SigningKeyRow | undefined> =>
      keys()
        .where({ project })
        .orderBy('generation', 'desc')
        .first(...columns) as unknown as Promise<SigningKeyRow | undefined>,

    /** Of several that make a generation at the same time one wins; the private halves of those before it go. */
    insert: (row: Omit<SigningKeyRow, 'createdAt'>): Promise<void> =>
      transaction(async (trx) => {
        const { project, generation } = row
        await trx('provenance.signing_key').insert(row).onConflict(['project', 'generation']).ignore()
        await trx('provenance.signing_key')
          .where({ project })
          .andWhere('generation', '<', generation)
          .update({ sealed: null })
      })
  }
}
