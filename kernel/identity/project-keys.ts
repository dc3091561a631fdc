import type { Knex } from 'knex'
import { conflict, invalid, notFound } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import type { Trx } from '../database/transaction.ts'
import { createCredentialStore } from './credential-store.ts'
import type { StoredCredential } from './grants.ts'
import type { Environment } from './keys.ts'
import { makeKey } from './keys.ts'
import type { Principal } from './ownership.ts'
import { ADMIN_SCOPE, isProjectScope, isScope, listed } from './scopes.ts'

/** A project key as the operator asks for it. */
export interface KeyOrder {
  readonly name: string
  /** Made where it is missing. */
  readonly project: string
  /** Left out: the project's own, `live` for a new one. */
  readonly environment?: Environment
  readonly type: Principal['type']
  /** Left out: a new principal. An agent's is the agent's id. */
  readonly principal?: string
  /** The owner of an agent; left out: looked up. */
  readonly owner?: string
  /** Left out: all of the project's. */
  readonly scopes?: readonly string[]
  /** Adds `platform:admin`, which may be asked for in no other way. */
  readonly admin?: boolean
}

/** The owner of an agent of the project; undefined where there is no such agent. */
export type OwnerOfAgent = (project: string, agentId: string) => Promise<string | undefined>

const PREFIXES = { user: 'user', service: 'svc' } as const
export const PROJECT_FORM = /^[A-Za-z0-9_-]{1,64}$/
export const NAME_FORM = /^[\x21-\x7e]{1,128}$/

/**
 * Makes project keys, which are returned whole. Fails with 400 naming what is wrong with the order, with 404 where there
 * is no such agent, and with 409 where the project or the principal is another than the order says.
 */
export function createProjectKeys(knex: Knex, ownerOfAgent?: OwnerOfAgent) {
  const issue = projectKeyIssuer(knex, ownerOfAgent)
  return async (order: KeyOrder): Promise<string> => {
    check(order)
    return knex.transaction(async (trx) => (await issue(trx, order)).key)
  }
}

/** The same in the caller's transaction, with what is stored of the key. */
export function projectKeyIssuer(knex: Knex, ownerOfAgent?: OwnerOfAgent) {
  const store = createCredentialStore(knex)

  async function whose({
    type,
    project,
    principal,
    owner
  }: KeyOrder): Promise<{ id: string; owner: string }> {
    if (type !== 'agent') {
      const id = principal ?? newId(PREFIXES[type])
      return { id, owner: id }
    }
    if (principal === undefined) throw invalid('principal', 'The key of an agent needs its id')
    const found = owner ?? (await ownerOfAgent?.(project, principal))
    if (found === undefined) throw notFound(`Agent ${principal}`)
    return { id: principal, owner: found }
  }

  return async (trx: Trx, order: KeyOrder): Promise<{ stored: StoredCredential; key: string }> => {
    check(order)
    const { name, type, environment, scopes = null, admin = false } = order
    const { id, owner } = await whose(order)
    const project = await store.ensureProject(trx, order.project, environment)
    if (environment && project.environment !== environment)
      throw conflict(`Project ${project.id} is a ${project.environment} project, not a ${environment} one`)
    const lacking = scopes?.find((scope) => isProjectScope(scope) && !project.scopes.includes(scope))
    if (lacking) throw invalid('scopes', `Project ${project.id} does not hold ${lacking}`)
    const principal = await store.ensurePrincipal(trx, { project: project.id, id, type, name, owner })
    if (principal.type !== type) throw conflict(`Principal ${id} is of type ${principal.type}, not ${type}`)
    if (principal.disabledAt !== null)
      throw conflict(`Principal ${id} is disabled, or project ${project.id} closed`)
    const { key, prefix, hash, root } = makeKey(`ap_${project.environment}_`)
    const stored = await store.insert(trx, {
      id: newId('key'),
      project: project.id,
      principal: id,
      kind: 'project',
      name,
      prefix,
      hash,
      root,
      scopes: listed(scopes).scopes,
      admin
    })
    return { stored: stored as StoredCredential, key }
  }
}

function check({ name, project, principal, owner, type, scopes, admin }: KeyOrder): void {
  if (!name.trim() || name.length > 200) throw invalid('name', 'A key needs a name of at most 200 characters')
  if (!PROJECT_FORM.test(project)) throw invalid('project', 'A project is 1 to 64 of A-Z, a-z, 0-9, _ and -')
  for (const [param, id] of Object.entries({ principal, owner }))
    if (id !== undefined && !NAME_FORM.test(id)) throw invalid(param, '1 to 128 visible ASCII characters')
  if (owner !== undefined && type !== 'agent') throw invalid('owner', 'Only an agent has an owner')
  const unknown = scopes?.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalid('scopes', `${JSON.stringify(unknown)} is not a scope`)
  if (scopes?.includes(ADMIN_SCOPE) && !admin) throw invalid('scopes', `${ADMIN_SCOPE} needs --admin`)
}
