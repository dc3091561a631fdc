import type { Kernel, Paging, Principal } from 'agent-platform'
import { afterCommit, forbidden, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { NewGrant } from '../schemas/grants.ts'
import { grants } from '../schemas/grants.ts'
import type { GrantStore } from '../stores/grants.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { Subject } from '../subjects.ts'
import { subjectOf } from '../subjects.ts'
import type { SpaceAccess } from './access.ts'
import type { AgentSpaces } from './agent-spaces.ts'

export type GrantService = ReturnType<typeof createGrantService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  spaceStore: SpaceStore
  grantStore: GrantStore
  spaceAccess: SpaceAccess
  agentSpaces: AgentSpaces
}

export function createGrantService(deps: Deps) {
  const { knex, transaction, facts, agents, spaceStore, grantStore, spaceAccess, agentSpaces } = deps

  /** What a model reads must not change who may read what: agents give and take no grants. */
  async function managed(by: Principal, spaceId: string) {
    const space = await spaceAccess.space(by, spaceId, by.type === 'agent' ? 'read' : 'manage')
    if (by.type !== 'agent') return space
    throw forbidden('Grants are not an agent’s to give or take', { code: 'agent_principal' })
  }

  /** What an agent is granted its runs search: it takes a principal that may change the agent. */
  async function checkSubject(by: Principal, { subjectType, subjectId }: Subject): Promise<void> {
    const param = '/subjectId'
    if (subjectType === 'project' && subjectId !== by.project)
      throw forbidden('No principal crosses projects', { param, code: 'not_owner' })
    if (subjectType === 'agent') await agents.owned(by, subjectId, 'change', param)
  }

  async function grant(by: Principal, spaceId: string, input: NewGrant) {
    const { project, owner } = await managed(by, spaceId)
    await checkSubject(by, input)
    return transaction(async (trx) => {
      if (!(await spaceStore.lock(trx, { project, id: spaceId }))) throw notFound('Knowledge space')
      if (input.subjectType === 'agent' && !(await agents.takeShare(trx, project, [input.subjectId])))
        throw notFound('Agent', { param: '/subjectId' })
      const known = await grantStore.findOfSubject(trx, project, spaceId, input)
      const { row, isChanged } = known
        ? await grants.update(trx, known, { level: input.level, grantedBy: by.owner })
        : {
            row: await grants.insert(trx, { ...input, project, owner, spaceId, grantedBy: by.owner }),
            isChanged: true
          }
      if (isChanged) await facts.record(trx, 'knowledge.granted', by, { subject: spaceId, owner, data: row })
      afterCommit(trx, () => agentSpaces.changed(project, row))
      return { grant: row, isNew: known === undefined }
    })
  }

  /** Who manages the space takes away any grant; a subject drops its own. */
  async function revoke(by: Principal, spaceId: string, id: string, version?: number): Promise<void> {
    const space = await spaceAccess.space(by, spaceId, 'read')
    const found = await grants.find(knex, id)
    if (!found || found.spaceId !== spaceId) throw notFound(grants.what)
    const own = subjectOf(by)
    const isOwn = own.subjectType === found.subjectType && own.subjectId === found.subjectId
    if (!isOwn) await managed(by, spaceId)
    await transaction(async (trx) => {
      const data = await grants.remove(trx, found, version)
      await facts.record(trx, 'knowledge.revoked', by, { subject: spaceId, owner: space.owner, data })
      afterCommit(trx, () => agentSpaces.changed(data.project, data))
    })
  }

  async function list(by: Principal, spaceId: string, page: Paging) {
    const { project } = await spaceAccess.space(by, spaceId, 'manage')
    return grantStore.listOfSpace(project, spaceId, page)
  }

  return { grant, revoke, list }
}
