import type { Owned, Principal, Trx, Verb } from 'agent-platform'
import type { Agent, Connection, Knowledgebase } from './schemas.ts'

export interface Agents {
  /**
   * The agent, if the principal may do that with it; 404 or 403 otherwise, with `param` where the id stood in
   * a body. Counts the agent's rate limit, once a request.
   */
  owned(by: Principal, agentId: string, verb: Verb, param?: string): Promise<Agent & Owned>
}

/** What a pack keeps for an agent: asked when the agent is deleted, exported and imported. */
export interface Belongings {
  /** Why the agent cannot go now, if so; asked before anything is deleted. */
  veto?(agent: Agent & Owned): Promise<string | undefined>
  /** Removes up to `limit` rows in the caller's transaction; says how many; asked again until 0. */
  remove(project: string, agentId: string, trx: Trx, limit: number): Promise<number>
  export?(project: string, agentId: string): AsyncIterable<object>
  import?(rows: AsyncIterable<object>, ids: Map<string, string>): Promise<void>
}

declare module 'agent-platform' {
  interface Services {
    agents: Agents
  }
  interface Points {
    'agents.belongings': Belongings
  }
  interface Facts {
    'agents.created': Agent
    'agents.updated': Agent
    'agents.deleted': { id: string }
    'agents.knowledgebase_replaced': Omit<Knowledgebase, 'content'>
    'agents.connection_pinned': Connection
    'agents.connection_unpinned': Connection
  }
}
