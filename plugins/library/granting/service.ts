import type { Kernel, Principal } from 'agent-platform'
import { forbidden, granting, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { items } from '../schemas.ts'
import type { ItemAccess } from '../stores/access.ts'
import { grants } from './schemas.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  itemAccess: ItemAccess
}

export function createGranting({ knex, transaction, facts, agents, itemAccess }: Deps) {
  async function check({ project }: Principal, agentId: string, param: string): Promise<void> {
    const known = await agents.afresh(agentId)
    if (!known) throw notFound('Agent', { param })
    if (known.agent.project !== project)
      throw forbidden('You do not have access to this agent', { param, code: 'not_owner' })
  }

  const names = { granted: 'library.granted', revoked: 'library.revoked' } as const
  const { takeShare } = agents
  const parts = { things: items, grants, access: itemAccess, names, agents: { check, takeShare } }
  return granting({ knex, transaction, facts }, parts)
}
