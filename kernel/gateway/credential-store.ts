import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import type { Principal } from '../ownership.ts'
import type { Paging } from '../schemas.ts'
import { paginate } from '../schemas.ts'
import type { StoredCredential, StoredPrincipal } from './grants.ts'
import type { Environment, KeyKind } from './keys.ts'
import { SCOPES } from './scopes.ts'

export type CredentialStore = ReturnType<typeof createCredentialStore>

export interface NewCredential {
  readonly id: string
  readonly project: string
  readonly principal: string
  readonly kind: KeyKind
  readonly name: string
  readonly prefix: string
  readonly hash: Buffer
  readonly scopes: readonly string[] | null
  readonly admin: boolean
  readonly initiator?: string
  readonly madeWith?: string
  readonly expiresAt?: Date
}

export interface Project {
  readonly id: string
  readonly environment: Environment
  readonly scopes: readonly string[]
}

type Identity = Pick<Principal, 'project' | 'id' | 'type' | 'owner'> & { readonly name: string }

const PROJECT_SCOPES =
  '(select p.scopes from kernel.project p where p.id = credential.project) as "projectScopes"'

/** Projects, principals and credentials as they lie in the database. */
export function createCredentialStore(knex: Knex) {
  const credentials = () => knex('kernel.credential').select('credential.*', knex.raw(PROJECT_SCOPES))

  return {
    async findByHash(
      hash: Buffer
    ): Promise<{ credential: StoredCredential; principal: StoredPrincipal } | undefined> {
      const row: (StoredCredential & StoredPrincipal) | undefined = await credentials()
        .select('principal.type', 'principal.owner', 'principal.disabledAt')
        .join('kernel.principal as principal', {
          'principal.project': 'credential.project',
          'principal.id': 'credential.principal'
        })
        .where('credential.hash', hash)
        .first()
      return row && { credential: row, principal: row }
    },

    find: (id: string): Promise<StoredCredential | undefined> =>
      credentials().where('credential.id', id).first(),

    /** Keys of one principal, newest first; of those made for one initiator only, where it is given. */
    listKeys({ project, id, initiator }: Principal, page: Paging) {
      const query = credentials().where({ project, principal: id }).whereNot('kind', 'minted')
      if (initiator !== undefined) query.where({ initiator })
      return paginate<StoredCredential>(query, page)
    },

    /** Those of them that were revoked. */
    listRevoked: (ids: readonly string[]): Promise<string[]> =>
      knex('kernel.credential')
        .whereIn('id', [...ids])
        .whereNotNull('revokedAt')
        .pluck('id'),

    findPrincipal: (
      project: string,
      id: string,
      on: Knex | Trx = knex
    ): Promise<StoredPrincipal | undefined> =>
      on('kernel.principal').where({ project, id }).first('type', 'owner', 'disabledAt'),

    /** The project, made where it is missing. */
    async ensureProject(trx: Trx, id: string, environment: Environment): Promise<Project> {
      await trx('kernel.project').insert({ id, environment, scopes: SCOPES }).onConflict('id').ignore()
      return trx('kernel.project').where({ id }).first('id', 'environment', 'scopes')
    },

    /** The principal, made where it is missing. An agent's owner is brought up to date. */
    async ensurePrincipal(trx: Trx, { project, id, type, owner, name }: Identity): Promise<StoredPrincipal> {
      await trx('kernel.principal')
        .insert({ project, id, type, owner, name })
        .onConflict(['project', 'id'])
        .ignore()
      if (type === 'agent')
        await trx('kernel.principal').where({ project, id, type }).whereNot({ owner }).update({ owner })
      return trx('kernel.principal').where({ project, id }).first('type', 'owner', 'disabledAt')
    },

    /**
     * Undefined where the credential it is made with was revoked; it does not outlive that one's end. The lock
     * makes a revocation that runs at the same time wait, and so see the new one when it looks again.
     */
    async insert(trx: Trx, row: NewCredential): Promise<StoredCredential | undefined> {
      const { rows } = await trx.raw(
        `with parent as (
           select "revokedAt", "expiresAt" from kernel.credential where project = :project and id = :madeWith for share
         )
         insert into kernel.credential
           (id, project, principal, kind, name, prefix, hash, scopes, admin, initiator, "madeWith", "expiresAt")
         select :id, :project, :principal, :kind, :name, :prefix, cast(:hash as bytea), cast(:scopes as text[]),
           cast(:admin as boolean), :initiator, :madeWith,
           least(cast(:expiresAt as timestamptz), (select "expiresAt" from parent))
         where not exists (select 1 from parent where "revokedAt" is not null)
         returning *, ${PROJECT_SCOPES}`,
        {
          ...row,
          initiator: row.initiator ?? null,
          madeWith: row.madeWith ?? null,
          expiresAt: row.expiresAt ?? null
        } as never
      )
      return rows[0]
    },

    /** Revokes credentials and all that was made with them, and with that; the ids of those it ended now. */
    async revokeTree(
      trx: Trx,
      of: { id: string } | { project: string; principal: string }
    ): Promise<readonly string[]> {
      const { rows } = await trx.raw(
        `with recursive tree as (
           select project, id from kernel.credential where ${
             'id' in of ? 'id = :id' : 'project = :project and principal = :principal'
           }
           union
           select made.project, made.id from kernel.credential made
             join tree on made.project = tree.project and made."madeWith" = tree.id
         )
         update kernel.credential set "revokedAt" = now() from tree
         where credential.project = tree.project and credential.id = tree.id and "revokedAt" is null
         returning credential.id`,
        of
      )
      return rows.map((row: { id: string }) => row.id)
    },

    async saveLastUsed(uses: ReadonlyMap<string, number>): Promise<void> {
      const times = [...uses.values()].map((at) => new Date(at).toISOString())
      await knex.raw(
        `update kernel.credential set "lastUsedAt" = greatest("lastUsedAt", used.at)
         from unnest(?::text[], ?::timestamptz[]) as used (id, at) where credential.id = used.id`,
        [[...uses.keys()], times] as never
      )
    },

    /** Minted tokens a day after their end, except those with which others were made. */
    async removeExpired(now: number): Promise<void> {
      await knex('kernel.credential as old')
        .where({ kind: 'minted' })
        .where('expiresAt', '<', new Date(now - 24 * 60 * 60 * 1000))
        .whereNotExists(
          knex('kernel.credential as made').whereRaw(
            'made.project = old.project and made."madeWith" = old.id'
          )
        )
        .delete()
    }
  }
}
