import type { Facts, Fragment, NewRow, Owned, Paging, Principal, Row, Table, Trx, Verb } from 'agent-platform'
import type { Agent, AgentOptions, Connection, Knowledgebase, NewAgent } from './schemas.ts'

export type { Agent, AgentOptions }

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
   * As `owned`, with what a run needs, from memory as a rule: it may be a moment old. A caller that goes on with it asks
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
  /** The principal's own agent of that name, the oldest of several. */
  named(by: Principal, name: string): Promise<(Agent & Owned) | undefined>
  /** Makes an agent of the principal's, as a part of the transaction; 400 for a provider of models that no pack brings. */
  create(trx: Trx, by: Principal, agent: NewAgent): Promise<Agent & Owned>
  /** A page of those that the principal reaches, newest first. */
  list(by: Principal, page: Paging): Promise<{ data: (Agent & Owned)[]; nextCursor: string | null }>
  /** Whom the agent prefers to work with, the first pinned first; 404 or 403 unless the principal may run it. */
  peers(by: Principal, agentId: string): Promise<readonly Peer[]>
  /** It is nobody's preferred peer any more, in the transaction in which it goes. */
  forgetPeer(trx: Trx, project: string, id: string): Promise<number>
  /**
   * Inserts a row that belongs to an agent, owned by the agent's owner, and records that it was made: 404 or 403, with
   * `param` /agentId, unless the principal may change the agent. An agent that is just being deleted is 404, so that
   * nothing is left behind of it.
   */
  createChild<R extends ChildRow>(
    by: Principal,
    table: Table<R>,
    input: Omit<NewRow<R>, 'project' | 'owner'> & { agentId: string },
    fact: keyof Facts & string
  ): Promise<R>
  /**
   * Notes where the picture of an agent is read, as a part of the transaction in which it is kept: an edit of the agent, told by
   * `agents.updated`. The caller has decided that the principal may; 404 when the agent is gone. It does not go again before
   * the transaction ends.
   */
  setAvatar(
    trx: Trx,
    by: Principal,
    agent: { project: string; id: string },
    avatar: Agent['avatar']
  ): Promise<void>
  /** Keeps these agents from going before the transaction ends; false when one of them is gone already. */
  takeShare(trx: Trx, project: string, agentIds: readonly string[]): Promise<boolean>
}

/** A row that belongs to an agent. */
export type ChildRow = Row & { readonly agentId: string }

/** A preferred peer of an agent: whether the principal may run it is asked when it is run. */
export interface Peer {
  /** Of an agent of the platform, or of what a pack contributes at `agents.peer`. */
  readonly agentId: string
  /** Of the latter: the tool that it is to the agent. */
  readonly toolId?: string
  readonly name: string
  /** When to prefer it. */
  readonly description: string | null
}

/** Peers that are no agents of the platform; the key at the point is the type of their ids, such as `remote` of `remote_…`. */
export interface PeerKind {
  /** 404 or 403, at `param`, unless the principal may pin it. */
  check(by: Principal, id: string, param: string): Promise<void>
  /** Those of these that are there still. */
  list(
    project: string,
    ids: readonly string[]
  ): Promise<readonly { readonly id: string; readonly name: string; readonly toolId: string }[]>
}

declare module 'agent-platform' {
  interface Services {
    agents: Agents
  }
  interface Points {
    'agents.peer': PeerKind
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
