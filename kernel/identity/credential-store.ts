import type { Knex } from 'knex'
import { paginate } from '../contract/paging.ts'
import type { Paging } from '../contract/schemas.ts'
import type { Trx } from '../database/transaction.ts'
import type { StoredCredential, StoredPrincipal } from './grants.ts'
import type { Environment } from './keys.ts'
import type { Principal } from './ownership.ts'
import { SCOPES } from './scopes.ts'

export type NewCredential = Omit<
  StoredCredential,
  'initiator' | 'narrowed' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt' | 'projectScopes'
> & {
  readonly initiator?: string | undefined
  readonly narrowed?: boolean
  readonly madeWith?: string
  readonly expiresAt?: Date | undefined
}

/** What is stored of a project. */
export interface Project {
  readonly id: string
  readonly environment: Environment
  readonly scopes: readonly string[]
  readonly createdAt: string | Date
  /** Since when nobody may do anything in it; null while it is open. */
  readonly closedAt: string | Date | null
}

type Identity = Pick<Principal, 'project' | 'id' | 'type' | 'owner'> & { readonly name: string }
/** One credential, all of a principal, or all of a project. */
export type Revoked = { id: string } | { project: string; principal?: string }

const PROJECT = ['id', 'environment', 'scopes', 'createdAt', 'closedAt'] as const
const DAY_MS = 24 * 60 * 60 * 1000
const PROJECT_SCOPES =
  '(select p.scopes from kernel.project p where p.id = credential.project) as "projectScopes"'
/** Of a project that is closed everyone is disabled. */
const DISABLED = `coalesce(principal."disabledAt",
  (select k."closedAt" from kernel.project k where k.id = principal.project)) as "disabledAt"`
const usedBy = (column: 'hash' | 'root') =>
  `update kernel.credential set "lastUsedAt" = now() where (project, id) in (
  select project, id from kernel.credential where ${column} = ? and "revokedAt" is null
    and ("lastUsedAt" is null or "lastUsedAt" < now() - interval '1 minute')
  for no key update skip locked)`
const USED = { hash: usedBy('hash'), root: usedBy('root') }

/** Projects, principals and credentials as they lie in the database. */
export function createCredentialStore(knex: Knex) {
  const credentials = () => knex('kernel.credential').select('credential.*', knex.raw(PROJECT_SCOPES))

  /** Undefined where there is one of that id. */
  async function insertProject(id: string, environment: Environment, on: Knex | Trx = knex) {
    const row = { id, environment, scopes: SCOPES }
    const [made] = await on('kernel.project').insert(row).onConflict('id').ignore().returning(PROJECT)
    return made as Project | undefined
  }

  const withPrincipals = (project: string) =>
    credentials()
      .select('principal.type')
      .join('kernel.principal as principal', {
        'principal.project': 'credential.project',
        'principal.id': 'credential.principal'
      })
      .where({ 'credential.project': project })

  const findBy =
    (column: 'hash' | 'root') =>
    (value: Buffer): Promise<(StoredCredential & StoredPrincipal) | undefined> =>
      credentials()
        .with('used', knex.raw(USED[column], [value]))
        .select('principal.type', 'principal.owner', knex.raw(DISABLED))
        .join('kernel.principal as principal', {
          'principal.project': 'credential.project',
          'principal.id': 'credential.principal'
        })
        .where(`credential.${column}`, value)
        .first()

  return {
    /** And notes, at most once a minute and without waiting for anyone, that it is used; so does the next one. */
    findByHash: findBy('hash'),
    findByRoot: findBy('root'),

    /** Of a key that was made before there was one. */
    async updateRoot({ project, id }: Pick<StoredCredential, 'project' | 'id'>, root: Buffer): Promise<void> {
      await knex('kernel.credential').where({ project, id, root: null }).update({ root })
    },

    find: (id: string): Promise<StoredCredential | undefined> =>
      credentials().where('credential.id', id).first(),

    /** Keys of one principal, newest first; of those made for one initiator only, where it is given. */
    listKeys({ project, id, initiator }: Principal, page: Paging) {
      const query = credentials().where({ project, principal: id }).whereNot('kind', 'minted')
      if (initiator !== undefined) query.where({ initiator })
      return paginate<StoredCredential>(query, page, 'key')
    },

    /** Those of them that were revoked. */
    listRevoked: (ids: readonly string[]): Promise<string[]> =>
      knex('kernel.credential')
        .whereIn('id', [...ids])
        .whereNotNull('revokedAt')
        .pluck('id'),

    /** `type` and `owner` are null where the project is stored and the principal is not. */
    findPrincipal: (
      project: string,
      id: string
    ): Promise<{ [K in keyof StoredPrincipal]: StoredPrincipal[K] | null } | undefined> =>
      knex('kernel.project as k')
        .leftJoin('kernel.principal as principal', (on) =>
          on.on('principal.project', 'k.id').andOnVal('principal.id', id)
        )
        .where('k.id', project)
        .first(
          'principal.type',
          'principal.owner',
          knex.raw('coalesce(principal."disabledAt", k."closedAt") as "disabledAt"')
        ),

    /** All keys of a project, or of one principal there, newest first. */
    listProjectKeys: (
      project: string,
      principal?: string
    ): Promise<(StoredCredential & Pick<StoredPrincipal, 'type'>)[]> =>
      withPrincipals(project)
        .where({ ...(principal && { 'credential.principal': principal }) })
        .whereNot('kind', 'minted')
        .orderBy('credential.id', 'desc'),

    /** Those that were made as the project's, with the types of their principals. */
    projectKeys: (project: string) => withPrincipals(project).where({ kind: 'project' }),

    listProjects: (): Promise<Project[]> => knex('kernel.project').select(PROJECT).orderBy('id'),

    findProject: (id: string): Promise<Project | undefined> =>
      knex('kernel.project').where({ id }).first(PROJECT),

    insertProject,

    /** The project, made where it is missing. */
    async ensureProject(trx: Trx, id: string, environment: Environment = 'live'): Promise<Project> {
      const made = await insertProject(id, environment, trx)
      return made ?? trx('kernel.project').where({ id }).first(PROJECT)
    },

    /** The principal, made where it is missing. The owner of an agent is brought up to date where it is known. */
    async ensurePrincipal(trx: Trx, identity: Identity): Promise<StoredPrincipal> {
      const { project, id, type, owner } = identity
      await trx('kernel.principal').insert(identity).onConflict(['project', 'id']).ignore()
      if (type === 'agent' && owner !== id)
        await trx('kernel.principal').where({ project, id, type }).whereNot({ owner }).update({ owner })
      return trx('kernel.principal as principal')
        .where({ project, id })
        .first('type', 'owner', trx.raw(DISABLED))
    },

    /**
     * Undefined where the credential it is made with was revoked; it does not outlive that one's end. The lock
     * makes a revocation that runs at the same time wait, and so see the new one when it looks again. A key that is made
     * in a session of a browser is made with the credential behind the session: signing out ends the session alone.
     */
    async insert(trx: Trx, row: NewCredential): Promise<StoredCredential | undefined> {
      const { rows } = await trx.raw(
        `with maker as (
           select "revokedAt", "expiresAt", "madeWith", kind = 'minted' and narrowed is not null and :kind = 'principal' as "isSession"
             from kernel.credential where project = :project and id = :madeWith for share
         ), behind as (
           select "revokedAt", "expiresAt" from kernel.credential where project = :project
             and id = (select "madeWith" from maker where "isSession") for share
         ), parent as (
           select coalesce((select "madeWith" from maker where "isSession"), :madeWith) as id,
             case when (select "isSession" from maker) then (select "expiresAt" from behind)
               else (select "expiresAt" from maker) end as "expiresAt"
         )
         insert into kernel.credential
           (id, project, principal, kind, name, prefix, hash, root, scopes, admin, narrowed, initiator, "madeWith", "expiresAt")
         select :id, :project, :principal, :kind, :name, :prefix, cast(:hash as bytea), cast(:root as bytea), cast(:scopes as text[]),
           cast(:admin as boolean), cast(:narrowed as boolean), :initiator, parent.id,
           least(cast(:expiresAt as timestamptz), parent."expiresAt")
         from parent
         where not exists (select 1 from maker where "revokedAt" is not null)
           and not exists (select 1 from behind where "revokedAt" is not null)
         returning *, ${PROJECT_SCOPES}`,
        {
          ...row,
          initiator: row.initiator ?? null,
          narrowed: row.narrowed ?? null,
          madeWith: row.madeWith ?? null,
          expiresAt: row.expiresAt ?? null
        } as never
      )
      return rows[0]
    },

    /** Revokes credentials and all that was made with them, and with that; the ids of those it ended now. */
    async revokeTree(trx: Trx, of: Revoked): Promise<readonly string[]> {
      const { rows } = await trx.raw(
        `with recursive tree as (
           select project, id from kernel.credential where ${
             'id' in of
               ? 'id = :id'
               : `project = :project${of.principal === undefined ? '' : ' and principal = :principal'}`
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

    /** Removes minted tokens a day after their end, except those with which others were made. */
    prune: () =>
      knex('kernel.credential as old')
        .where({ kind: 'minted' })
        .where('expiresAt', '<', new Date(Date.now() - DAY_MS))
        .whereNotExists(
          knex('kernel.credential as made').whereRaw(
            'made.project = old.project and made."madeWith" = old.id'
          )
        )
        .delete()
  }
}
