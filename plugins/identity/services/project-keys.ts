import type { Kernel, Paging, Principal } from 'agent-platform'
import { forbidden, newId } from 'agent-platform'
import type { KeyStore } from '../stores/keys.ts'
import type { People } from './people.ts'
import type { ProjectService } from './projects.ts'

export type ProjectKeyService = ReturnType<typeof createProjectKeyService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'projects'> {
  people: People
  projectService: ProjectService
  keyStore: KeyStore
}
interface NewKey {
  readonly name: string
  readonly type?: 'user' | 'service'
  readonly scopes?: readonly string[]
}

/** Keys of a project: a member's own, which acts as the member, and, made by owners, those of services. */
export function createProjectKeyService(deps: Deps) {
  const { transaction, facts, projects, people, projectService, keyStore } = deps
  return {
    async create(by: Principal, project: string, { name, type = 'user', scopes }: NewKey) {
      const roles = type === 'service' ? (['owner'] as const) : undefined
      const { person, acting } = await projectService.enter(by, project, roles)
      await people.checkLately(by)
      return transaction(async (trx) => {
        await projectService.hold(trx, project, person, roles)
        const principal = type === 'service' ? newId('svc') : person.id
        const order = { name, project, type, principal, ...(scopes && { scopes }) }
        const made = await projects.issueKey(trx, order).catch((error) => {
          throw error.param === 'scopes' ? Object.assign(error, { param: '/scopes' }) : error
        })
        await keyStore.insert(trx, { project, id: made.id, owner: person.id })
        const data = { id: made.id, name, prefix: made.prefix, principalId: principal }
        await facts.record(trx, 'identity.key_created', acting, { subject: made.id, owner: person.id, data })
        return { ...shown(made, project, person.id), key: made.key }
      })
    },

    /** All of the project for owners and members alike: none of them holds the key itself. */
    async list(by: Principal, project: string, page: Paging) {
      await projectService.enter(by, project)
      const { data, nextCursor } = await projects.listKeys(project, page)
      const makers = await keyStore.listMakers(
        project,
        data.map(({ id }) => id)
      )
      return { data: data.map((key) => shown(key, project, makers.get(key.id) ?? null)), nextCursor }
    },

    /** An owner revokes any, a member those it made. */
    async revoke(by: Principal, project: string, id: string): Promise<{ id: string; deleted: true }> {
      const { member, person, acting } = await projectService.enter(by, project)
      await projects.findKey(project, id)
      const maker = (await keyStore.listMakers(project, [id])).get(id)
      if (member.role !== 'owner' && maker !== person.id)
        throw forbidden('You do not have access to this project key', { code: 'not_owner' })
      await projects.revokeKey(project, id, (trx, ids) =>
        facts.record(trx, 'identity.key_revoked', acting, {
          subject: id,
          owner: maker ?? person.id,
          data: { ids: [...ids] }
        })
      )
      return { id, deleted: true }
    }
  }
}

type Key = Awaited<ReturnType<Kernel['projects']['findKey']>>
const shown = (
  { id, name, prefix, scopes, createdAt, lastUsedAt, revokedAt, principal, type }: Key,
  projectId: string,
  createdBy: string | null
) => ({
  id,
  projectId,
  name,
  prefix,
  principalId: principal,
  type,
  createdBy,
  scopes: [...scopes],
  createdAt,
  lastUsedAt,
  revokedAt
})
