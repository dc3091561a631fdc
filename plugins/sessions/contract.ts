import type { Fragment, Owned, Principal, Trx, Verb } from 'agent-platform'
import type { Message, Session } from './schemas.ts'

export type { Message, Session }

/** A call of a tool, as the assistant's message has it that asks for it. */
export interface MessageCall {
  readonly callId: string
  readonly toolName: string
  readonly args: unknown
}

/**
 * A reply as its model gave it: texts, thoughts and calls in their order, with data of the provider that only a model of
 * that `origin` may get back. The arguments of its calls are those of the message.
 */
export interface ModelReply {
  readonly origin: string
  readonly parts: readonly object[]
}

/** What belongs to a message, by the file that it is: its bytes lie elsewhere, and may be gone. */
export interface Attachment {
  readonly fileId: string
}

/** What was said: by a user, by an agent, which may call tools, or by a tool, which answers a call. */
export type Words =
  | {
      readonly role: 'system'
      readonly content: string
      /** It stands in prompts for earlier messages, which are still there. */
      readonly isSummary?: true
      /** A summary of something that came from outside, too. */
      readonly untrusted?: boolean
    }
  | {
      readonly role: 'user'
      readonly content: string
      /** It came from outside, and no instruction in it is to be followed. */
      readonly untrusted?: boolean
      /** Images that belong to it. */
      readonly attachments?: readonly Attachment[]
    }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly toolCalls?: readonly MessageCall[]
      /** Only `recent` returns it: it is for prompts, and for nobody to read. */
      readonly reply?: ModelReply
    }
  | {
      readonly role: 'tool'
      readonly content: string
      readonly callId: string
      readonly toolName: string
      readonly isError: boolean
    }

/** A session that begins with a statement of another pack's. */
export interface Begun extends Owned {
  readonly id: string
  readonly agentId: string
  readonly initiator: string
  readonly title: string | null
  /** Messages that the same statement appends. */
  readonly count: number
}

export interface Extended {
  readonly project: string
  readonly id: string
  /** Messages that the same statement appends. */
  readonly count: number
}

/** A message that is appended by the statement of another pack. NUL, which PostgreSQL cannot keep, becomes U+FFFD. */
export type Appended = Words & Place

interface Place extends Owned {
  readonly id: string
  readonly sessionId: string
  readonly runId: string | null
  /** 0 for the first message that the statement appends to that session. */
  readonly offset: number
}

export interface History {
  /** The oldest first. */
  readonly messages: readonly Words[]
  /**
   * How many older ones there are, at most: positions that were taken and never filled, or whose messages were
   * taken back, count too.
   */
  readonly left: number
  /** Of each message. */
  readonly positions: readonly number[]
  /** What stands for all messages before these; they are not among those that are left. */
  readonly summary?: Summary
}

export interface Summary {
  readonly content: string
  /** Something in it came from outside. */
  readonly untrusted: boolean
}

/** A summary that is to stand for all messages of a session up to a position. */
export interface NewSummary extends Owned, Summary {
  readonly sessionId: string
  readonly until: number
}

/** Where the messages of a run lie. */
export interface RunPlace {
  readonly id: string
  readonly sessionId: string
  readonly position: number
}

export interface Sessions {
  /**
   * The session, if the principal may do that with it; 404 or 403 otherwise, with `param` where the id stood in a
   * body. Counts the rate limit of its agent, once a request.
   */
  owned(by: Principal, sessionId: string, verb: Verb, param?: string): Promise<Session & Owned>
  /** As the route: 404 and 403, with the fact. Its runs are cancelled and go with it. */
  remove(by: Principal, sessionId: string): Promise<void>
  /** What sessions are called, by id: of those of the project that have a title. Nobody's rights are asked for. */
  titles(project: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * The newest messages before position `before` (undefined: all) that fit: the last ones whose contents have
   * together at most `characters` (code points), at most `messages` of them, and the newest one in any case. Messages that a
   * summary stands for are not among them. Costs the same however long the session is.
   */
  recent(
    project: string,
    sessionId: string,
    limit: { before?: number; characters: number; messages: number }
  ): Promise<History>
  /**
   * Appends a summary to the session: `recent` gives it in place of all messages up to that position, which stay as they are.
   * Undefined where the session is gone, or has a summary that stands for as many.
   */
  summarize(summary: NewSummary): Promise<{ readonly id: string } | undefined>
  /** What a call gave, as a message of the session has it. */
  resultOf(
    project: string,
    sessionId: string,
    callId: string
  ): Promise<{ readonly output: string } | undefined>
  /** Messages of a run, the oldest first; of a run behind which hundreds have come, the last ones or none. */
  ofRun(project: string, sessionId: string, runId: string): Promise<readonly Message[]>
  /**
   * What these runs brought to their sessions and left there, as the transaction sees it and on its connection, the oldest
   * first; `position` is where to look from. Nobody's rights are asked for.
   */
  ofRuns(trx: Trx, project: string, runs: readonly RunPlace[]): Promise<readonly Message[]>
  /**
   * Whether anything in the session is data, in which no instruction counts: what tools returned, messages from outside,
   * images. However long ago, since what was said later may repeat it.
   */
  holdsUntrusted(project: string, sessionId: string): Promise<boolean>
  /**
   * Parts of a statement on the hot path, each of one query on the tables of sessions, their texts the same each
   * time. A session stands in each at most once (messages of it any number of times), and all of them give rows
   * `project, session, position`: `position` is that of the first message which the statement appends; `append`
   * gives a row with its own position for each message.
   */
  readonly fragments: {
    /** New sessions: those that are the `session` of a row in the query `given`. Who calls records the fact. */
    begin(sessions: readonly Begun[], given: string): Fragment
    /**
     * Takes positions in sessions that exist; no row for one that does not. With `given` as above. A writer that takes
     * them elsewhere at the same time waits, and gets others.
     */
    extend(sessions: readonly Extended[], given?: string): Fragment
    /** Messages, at `position + offset`, for each `session` with its `position` in the query `given`. */
    append(messages: readonly Appended[], given: string): Fragment
    /**
     * Takes back what runs appended before: for each row `project, session, run` of the query `given`. Without rows
     * of its own.
     */
    takeBack(given: string): Fragment
  }
}

declare module 'agent-platform' {
  interface Services {
    sessions: Sessions
  }
  interface Facts {
    'sessions.created': Omit<Session, 'title' | 'metadata' | 'forkedFrom'>
    'sessions.updated': Omit<Session, 'title' | 'metadata' | 'forkedFrom'>
    'sessions.deleted': { id: string; agentId: string }
  }
}
