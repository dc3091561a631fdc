import type { Trx } from '../data/transaction.ts'
import { conflict, invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Principal } from '../ownership.ts'
import type { CredentialStore } from './credential-store.ts'
import type { Environment } from './keys.ts'
import { makeKey } from './keys.ts'
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
  /** To whom belongs what an agent makes; left out: as known, else itself. */
  readonly owner?: string
  /** Left out: all of the project's. */
  readonly scopes?: readonly string[]
  /** Adds `platform:admin`, which may be asked for in no other way. */
  readonly admin?: boolean
}

const PREFIXES = { user: 'user', agent: 'agent', service: 'svc' } as const
export const PROJECT_FORM = /^[A-Za-z0-9_-]{1,64}$/
export const NAME_FORM = /^[\x21-\x7e]{1,128}$/

/**
 * Makes a project key and returns it whole. Fails with 400 naming what is wrong with the order, and with 409
 * where the project or the principal is another than the order says.
 */
export function createProjectKeys(
  store: CredentialStore,
  transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
) {
  return async (order: KeyOrder): Promise<string> => {
    check(order)
    return transaction(async (trx) => {
      const project = await projectOf(trx, order)
      const principal = await principalOf(trx, order)
      const lacking = order.scopes?.find((scope) => isProjectScope(scope) && !project.scopes.includes(scope))
      if (lacking) throw invalid('scopes', `Project ${project.id} does not hold ${lacking}`)
      const key = makeKey('project', project.environment)
      await store.insert(trx, {
        id: newId('key'),
        project: project.id,
        principal,
        kind: 'project',
        name: order.name,
        prefix: key.prefix,
        hash: key.hash,
        scopes: listed(order.scopes ?? null).scopes,
        admin: order.admin ?? false
      })
      return key.key
    })
  }

  async function projectOf(trx: Trx, { project, environment }: KeyOrder) {
    const known = await store.ensureProject(trx, project, environment ?? 'live')
    if (environment && known.environment !== environment)
      throw conflict(`Project ${project} is a ${known.environment} project, not a ${environment} one`)
    return known
  }

  async function principalOf(trx: Trx, { project, type, principal, owner, name }: KeyOrder): Promise<string> {
    const id = principal ?? newId(PREFIXES[type])
    const known = principal === undefined ? undefined : await store.findPrincipal(project, id, trx)
    const stored = await store.ensurePrincipal(trx, {
      project,
      id,
      type,
      owner: type === 'agent' ? (owner ?? known?.owner ?? id) : id,
      name
    })
    if (stored.type !== type) throw conflict(`Principal ${id} is of type ${stored.type}, not ${type}`)
    if (stored.disabledAt !== null) throw conflict(`Principal ${id} is disabled`)
    return id
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
