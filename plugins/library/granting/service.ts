import type { Kernel, Paging, Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { items } from '../schemas.ts'
import type { GrantStore } from '../stores/grants.ts'
import type { ItemAccess } from './access.ts'
import type { NewGrant } from './schemas.ts'
import { grants } from './schemas.ts'
import type { Subject } from './subjects.ts'
import { isOwn } from './subjects.ts'

export type Granting = ReturnType<typeof createGranting>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  grantStore: GrantStore
  itemAccess: ItemAccess
}

export function createGranting({ knex, transaction, facts, agents, grantStore, itemAccess }: Deps) {
  async function checkSubject({ project }: Principal, { subjectType, subjectId }: Subject): Promise<void> {
    const param = '/subjectId'
    if (subjectType === 'project' && subjectId !== project)
      throw forbidden('No principal crosses projects', { param, code: 'not_owner' })
    if (subjectType !== 'agent') return
    const known = await agents.afresh(subjectId)
    if (!known) throw notFound('Agent', { param })
    if (known.agent.project !== project)
      throw forbidden('Agent belongs to someone else', { param, code: 'not_owner' })
  }

  async function grant(by: Principal, itemId: string, input: NewGrant) {
    const { project, owner } = await itemAccess.toOpen(by, itemId)
    await checkSubject(by, input)
    return transaction(async (trx) => {
      await items.lock(trx, { project, id: itemId })
      if (input.subjectType === 'agent' && !(await agents.takeShare(trx, project, [input.subjectId])))
        throw notFound('Agent', { param: '/subjectId' })
      const known = await grantStore.findOfSubject(trx, project, itemId, input)
      const { row, isChanged } = known
        ? await grants.update(trx, known, { level: input.level, grantedBy: by.owner })
        : {
            row: await grants.insert(trx, { ...input, project, owner, itemId, grantedBy: by.owner }),
            isChanged: true
          }
      if (isChanged) await facts.record(trx, 'library.granted', by, { subject: itemId, owner, data: row })
      return { grant: row, isNew: known === undefined }
    })
  }

  /** Who manages the item takes away any grant; a subject drops its own. */
  async function revoke(by: Principal, itemId: string, id: string, version?: number): Promise<void> {
    const { owner } = await itemAccess.item(by, itemId, 'read')
    const found = await grants.find(knex, id)
    if (found?.itemId !== itemId) throw notFound(grants.what)
    if (!isOwn(by, found)) await itemAccess.toOpen(by, itemId)
    await transaction(async (trx) => {
      const data = await grants.remove(trx, found, version)
      await facts.record(trx, 'library.revoked', by, { subject: itemId, owner, data })
    })
  }

  async function list(by: Principal, itemId: string, page: Paging) {
    const { project } = await itemAccess.item(by, itemId, 'manage')
    return grantStore.listOfItem(project, itemId, page)
  }

  return { grant, revoke, list }
}
