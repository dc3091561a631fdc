import type { Knex } from 'knex'
import { conflict, invalid, notFound } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import type { Project } from './credential-store.ts'
import { createCredentialStore } from './credential-store.ts'
import type { ApiKey } from './grants.ts'
import { apiKeyOf } from './grants.ts'
import type { Environment } from './keys.ts'
import { makeKey } from './keys.ts'
import type { Principal } from './ownership.ts'
import { PROJECT_FORM } from './project-keys.ts'

/** Who the operator is to the platform: the name that stands in records of changes. */
const OPERATOR = 'operator'
/** There from the start, where no project is named. */
export const DEFAULT_PROJECT = 'default'

/** A key as the operator sees it: also whose it is. */
export interface HeldKey extends ApiKey {
  readonly principal: string
  readonly type: Principal['type']
}

/** What the operator sees and makes at the database itself, with no other right than to reach it. */
export function createOperator(knex: Knex) {
  const store = createCredentialStore(knex)

  async function projectOf(id: string): Promise<Project> {
    const project = await store.findProject(id)
    if (!project) throw notFound(`Project ${id}`)
    return project
  }

  return {
    listProjects: store.listProjects,

    /** 400 for an id that is none, 409 where there is one already. */
    async createProject(id: string, environment: Environment): Promise<Project> {
      if (!PROJECT_FORM.test(id)) throw invalid('id', 'A project is 1 to 64 of A-Z, a-z, 0-9, _ and -')
      const made = await store.insertProject(id, environment)
      if (!made) throw conflict(`There is a project ${id} already`)
      return made
    },

    /** Of everyone in the project, or of one principal there; revoked ones too, newest first. */
    async listKeys(project: string, principal?: string): Promise<HeldKey[]> {
      if (project !== DEFAULT_PROJECT) await projectOf(project)
      const keys = await store.listProjectKeys(project, principal)
      return keys.map((stored) => {
        const { id, name, ...rest } = apiKeyOf(stored)
        return { id, name, principal: stored.principal, type: stored.type, ...rest }
      })
    },

    /** 404 where there is none. */
    async findKey(id: string): Promise<ApiKey> {
      const stored = await store.find(id)
      if (!stored || stored.kind === 'minted') throw notFound(`Key ${id}`)
      return apiKeyOf(stored)
    },

    /** A token that acts as the operator for some seconds: all that the project holds, and `platform:admin` if asked. */
    mint: (project: string, { admin, seconds }: { admin: boolean; seconds: number }) =>
      knex.transaction(async (trx) => {
        if (project === DEFAULT_PROJECT) await store.ensureProject(trx, project)
        else await projectOf(project)
        const identity = { project, id: OPERATOR, type: 'service', owner: OPERATOR, name: OPERATOR } as const
        const principal = await store.ensurePrincipal(trx, identity)
        if (principal.type !== 'service' || principal.disabledAt !== null)
          throw conflict(`Principal ${OPERATOR} of project ${project} is disabled, or not a service`)
        const { key: token, prefix, hash, root } = makeKey('apt_')
        const id = newId('key')
        await store.insert(trx, {
          id,
          project,
          principal: OPERATOR,
          kind: 'minted',
          name: OPERATOR,
          prefix,
          hash,
          root,
          scopes: null,
          admin,
          expiresAt: new Date(Date.now() + seconds * 1_000)
        })
        return { id, token }
      }),

    /** Ends such a token: it is good for nothing any more, nor is what was made with it. */
    end: (id: string) => knex.transaction((trx) => store.revokeTree(trx, { id }))
  }
}
