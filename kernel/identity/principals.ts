import type { Knex } from 'knex'
import { createCredentialStore } from './credential-store.ts'
import type { Principal } from './ownership.ts'

/** Owners, for work that no request asks for. */
export interface Principals {
  /**
   * The owner of something as a principal, which may what its project may; with no credential that could be revoked or
   * shown. Undefined while it is disabled: its background work rests.
   */
  of(project: string, owner: string): Promise<Principal | undefined>
}

export function createPrincipals(knex: Knex): Principals {
  const store = createCredentialStore(knex)
  return {
    async of(project, id) {
      const [stored, found] = await Promise.all([
        store.findPrincipal(project, id),
        knex('kernel.project').where({ id: project }).first('scopes')
      ])
      if (stored && stored.disabledAt !== null) return undefined
      // Those for whom a service acts, and people whom an identity provider knows, are stored nowhere.
      const { type = 'user', owner = id } = stored ?? {}
      return { id, type, project, owner, scopes: new Set(found?.scopes), narrowed: false, credential: '' }
    }
  }
}
