import type { Fragment, Owned, Paging, Principal, Trx, Verb } from 'agent-platform'
import type { Agent, Connection, Knowledgebase } from './schemas.ts'

/** What a run needs to know of an agent. */
export interface Profile {
  readonly agent: Agent & Owned
  /** The always-on context; empty where there is none. */
  readonly knowledgebase: string
  /** Changes with the agent and with its always-on context. */
  readonly stamp: string
}

export interface Agents {
  /**
   * The agent, if the principal may do that with it; 404 or 403 otherwise, with `param` where the id stood in
   * a body. Counts the agent's rate limit, once a request.
   */
  owned(by: Principal, agentId: string, verb: Verb, param?: string): Promise<Agent & Owned>
  /**
   * As `owned`, with what a run needs, from memory as a rule: it may be a moment old. Whoever goes on with it asks
   * for the `stamps` in its own statement, and for the profile `afresh` where they differ.
   */
  profile(by: Principal, agentId: string, verb: Verb, param?: string): Promise<Profile>
  /** The profile as it is now; undefined when the agent is gone. */
  afresh(agentId: string): Promise<Profile | undefined>
  /** A part of a statement on the hot path: rows `agent, stamp` of those of these agents that are there. */
  stamps(agents: readonly { project: string; agentId: string }[]): Fragment
  /**
   * The principal's own agent of that name, the oldest of several; made where there is none, once also when several
   * ask at the same time. One that is there stays as it is.
   */
  ensure(by: Principal, agent: { name: string; instructions: string }): Promise<Agent & Owned>
  /** A page of those that the principal reaches, newest first. */
  list(by: Principal, page: Paging): Promise<{ data: (Agent & Owned)[]; nextCursor: string | null }>
  /** Whom the agent prefers to work with, the first pinned first; 404 or 403 unless the principal may run it. */
  peers(by: Principal, agentId: string): Promise<readonly Peer[]>
  /** Keeps these agents from going before the transaction ends; false when one of them is gone already. */
  takeShare(trx: Trx, project: string, agentIds: readonly string[]): Promise<boolean>
}

/** A preferred peer of an agent: whether the principal may run it is asked when it is run. */
export interface Peer {
  readonly agentId: string
  readonly name: string
  /** When to prefer it. */
  readonly note: string | null
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
