import type { Kernel, Principal } from 'agent-platform'

export type LinkStore = ReturnType<typeof createLinkStore>

/** A link that signs in once. */
interface LinkRow {
  readonly id: string
  readonly project: string
  readonly owner: string
  /** SHA-256 of the secret in its code. */
  readonly secretHash: Buffer
  readonly principal: StoredPrincipal
  readonly expiresAt: Date
}
/** Whom it signs in, and with which credential it was made. */
export type StoredPrincipal = Omit<Principal, 'scopes'> & { readonly scopes: readonly string[] }

/** Links that were neither used nor have expired; the latter stay until the next one is made. */
export function createLinkStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async insert(link: LinkRow): Promise<void> {
      await knex('console.link').where('expiresAt', '<', new Date()).delete()
      await knex('console.link').insert({ ...link, principal: JSON.stringify(link.principal) })
    },

    /** Removes it: of callers that use it at the same time one alone gets it. */
    async take(id: string, secretHash: Buffer): Promise<StoredPrincipal | undefined> {
      const [taken] = await knex('console.link')
        .where({ id, secretHash })
        .where('expiresAt', '>', new Date())
        .delete()
        .returning('principal')
      return taken?.principal
    }
  }
}
