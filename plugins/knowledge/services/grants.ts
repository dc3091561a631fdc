import type { Kernel } from 'agent-platform'
import { granting } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { grants } from '../schemas/grants.ts'
import { spaces } from '../schemas/spaces.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { AgentSpaces } from './agent-spaces.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  spaceAccess: SpaceAccess
  agentSpaces: AgentSpaces
}

export function createGrantService({ knex, transaction, facts, agents, spaceAccess, agentSpaces }: Deps) {
  return granting(
    { knex, transaction, facts },
    {
      things: spaces,
      grants,
      access: spaceAccess,
      names: { granted: 'knowledge.granted', revoked: 'knowledge.revoked' } as const,
      agents: {
        // What an agent is granted its runs search: it takes a principal that may change the agent.
        check: (by, agentId, param) => agents.owned(by, agentId, 'change', param),
        takeShare: agents.takeShare
      },
      changed: agentSpaces.changed
    }
  )
}
