import type { Knex } from 'knex'
import { conflict, invalid, notFound } from '../contract/errors.ts'
import type { PageOf } from '../contract/paging.ts'
import { paginate } from '../contract/paging.ts'
import type { Paging } from '../contract/schemas.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Signals } from '../events/signals.ts'
import type { Project } from './credential-store.ts'
import { createCredentialStore } from './credential-store.ts'
import type { KernelCredentials } from './credentials.ts'
import type { ApiKey, StoredCredential } from './grants.ts'
import { apiKeyOf } from './grants.ts'
import type { Environment } from './keys.ts'
import type { Principal } from './ownership.ts'
import type { KeyOrder, OwnerOfAgent } from './project-keys.ts'
import { PROJECT_FORM, projectKeyIssuer } from './project-keys.ts'

export type { Project }

/** A key of a project, and whose it is. */
export interface ProjectKey extends ApiKey {
  readonly principal: string
  readonly type: Principal['type']
}

/** Projects, their keys, and which principals may act in them. Who may change that is for the caller to know. */
export interface Projects {
  /** 400 for an id that is none, 409 where there is one already. */
  create(trx: Trx, id: string, environment: Environment): Promise<Project>
  find(id: string): Promise<Project | undefined>
  /** A project key, whole; never with `platform:admin`. Its principal is made where it is missing. */
  issueKey(
    trx: Trx,
    order: Omit<KeyOrder, 'admin' | 'environment' | 'owner'>
  ): Promise<ProjectKey & { key: string }>
  /** Project keys, revoked ones too, newest first. */
  listKeys(project: string, page: Paging): Promise<PageOf<ProjectKey>>
  /** 404 where the project has no such project key. */
  findKey(project: string, id: string): Promise<ProjectKey>
  /** Revokes these project keys and what was made with them, with the caller's transaction; the ids of all that ended. */
  revokeKeys(trx: Trx, project: string, ids: readonly string[]): Promise<readonly string[]>
  /** Revokes it, and what was made with it. 404 where it is revoked already. */
  revokeKey(
    project: string,
    id: string,
    also?: (trx: Trx, revoked: readonly string[]) => Promise<void>
  ): Promise<void>
  /**
   * From the commit on a user may do nothing in the project, nor may its agents as principals: all their credentials are revoked,
   * tokens of an identity provider refused, open streams closed on every instance, and work in the background rests.
   */
  exclude(trx: Trx, project: string, user: string): Promise<void>
  /** Undoes that, but for the credentials. */
  admit(trx: Trx, project: string, user: string): Promise<void>
  /**
   * From the commit on nobody may do anything in the project, also those of whom nothing is stored, as they for whom a service acts:
   * all credentials are revoked and new ones good for nothing, open streams closed on every instance, and work in the background rests.
   */
  close(trx: Trx, project: string): Promise<void>
  /** Undoes that, but for the credentials; who was excluded stays so. */
  reopen(trx: Trx, project: string): Promise<void>
}

interface Options {
  readonly knex: Knex
  readonly signals: Pick<Signals, 'send' | 'on'>
  readonly credentials: Pick<KernelCredentials, 'revokeTree' | 'revokeWithin'>
  readonly ownerOfAgent?: OwnerOfAgent
}

/** A user of a project that may do nothing there any more; without one, everybody: the project is closed. */
export interface Excluded {
  readonly project: string
  readonly user?: string
}
type StoredKey = StoredCredential & Pick<Principal, 'type'>
const EXCLUDED = 'principals.excluded'

export function createProjects({ knex, signals, credentials, ownerOfAgent }: Options) {
  const store = createCredentialStore(knex)
  const issue = projectKeyIssuer(knex, ownerOfAgent)

  /** The principal itself and the agents that are its own. */
  const principalsOf = (trx: Trx, project: string, user: string) =>
    trx('kernel.principal')
      .where({ project })
      .where((which) => which.where({ id: user }).orWhere({ owner: user, type: 'agent' }))

  async function findKey(project: string, id: string): Promise<ProjectKey> {
    const found = (await store.projectKeys(project).where('credential.id', id).first()) as
      | StoredKey
      | undefined
    if (!found) throw notFound('Project key')
    return keyOf(found)
  }

  const own: Projects = {
    async create(trx, id, environment) {
      if (!PROJECT_FORM.test(id)) throw invalid('/id', 'A project is 1 to 64 of A-Z, a-z, 0-9, _ and -')
      const made = await store.insertProject(id, environment, trx)
      if (!made) throw conflict('There is a project of that id already')
      return made
    },
    find: store.findProject,

    async issueKey(trx, order) {
      const { stored, key } = await issue(trx, order)
      return { ...keyOf({ ...stored, type: order.type }), key }
    },

    async listKeys(project, page) {
      const { data, nextCursor } = await paginate<StoredKey>(store.projectKeys(project), page, 'key')
      return { data: data.map(keyOf), nextCursor }
    },

    findKey,

    async revokeKeys(trx, project, ids) {
      const known = trx('kernel.credential')
        .where({ project, kind: 'project' })
        .whereIn('id', [...ids])
      const ended: string[] = []
      for (const id of await known.pluck('id')) ended.push(...(await credentials.revokeWithin(trx, { id })))
      return ended
    },

    async revokeKey(project, id, also) {
      const { revokedAt } = await findKey(project, id)
      await credentials.revokeTree({ id }, also)
      if (revokedAt !== null) throw notFound('Project key')
    },

    async exclude(trx, project, user) {
      await store.ensureProject(trx, project)
      await store.ensurePrincipal(trx, { project, id: user, type: 'user', owner: user, name: user })
      const ids: string[] = await principalsOf(trx, project, user)
        .update({ disabledAt: trx.raw('coalesce("disabledAt", now())') })
        .returning('id')
        .then((rows) => rows.map(({ id }: { id: string }) => id))
      for (const principal of ids) await store.revokeTree(trx, { project, principal })
      afterCommit(trx, () => signals.send(EXCLUDED, { project, user }))
    },

    async admit(trx, project, user) {
      await principalsOf(trx, project, user).update({ disabledAt: null })
    },

    async close(trx, project) {
      const closedAt = trx.raw('coalesce("closedAt", now())')
      await trx('kernel.project').where({ id: project }).update({ closedAt })
      await credentials.revokeWithin(trx, { project })
      afterCommit(trx, () => signals.send(EXCLUDED, { project }))
    },

    async reopen(trx, project) {
      await trx('kernel.project').where({ id: project }).update({ closedAt: null })
    }
  }
  return {
    ...own,
    /** Hears who was excluded, here or on another instance. */
    onExcluded: (hear: (who: Excluded) => void) => signals.on(EXCLUDED, (who) => hear(who as Excluded)),
    /** Which of these were excluded, and which of their projects closed, perhaps while nothing was heard. */
    async listExcluded(users: readonly Required<Excluded>[]): Promise<readonly Excluded[]> {
      const excluded: Excluded[] = await knex('kernel.principal')
        .whereIn(
          ['project', 'id'],
          users.map(({ project, user }) => [project, user])
        )
        .whereNotNull('disabledAt')
        .select('project', 'id as user')
      const closed: Excluded[] = await knex('kernel.project')
        .whereIn('id', [...new Set(users.map(({ project }) => project))])
        .whereNotNull('closedAt')
        .select('id as project')
      return [...closed, ...excluded]
    }
  }
}

const keyOf = (stored: StoredKey): ProjectKey => {
  const { id, name, ...rest } = apiKeyOf(stored)
  return { id, name, principal: stored.principal, type: stored.type, ...rest }
}

/** Whether that is the user, or acts for it, or anyone of a project that is closed. */
export const isOf = (by: Pick<Principal, 'project' | 'id' | 'owner'>, { project, user }: Excluded): boolean =>
  by.project === project && (user === undefined || by.id === user || by.owner === user)
