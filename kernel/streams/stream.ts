import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fragment } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'

/** What the caller gives of an event: all but the id of its stream, its `seq`, and the time of what a `Writer` appends. */
export interface EventInput {
  readonly type: string
  readonly fields: object
}

/** An event as readers get it. */
export interface StreamEvent {
  readonly type: string
  readonly seq: number
  /** ISO 8601, of the events of a `Writer`: when it was appended, of text its first piece. Kept with the event. */
  readonly at?: string
  readonly [field: string]: unknown
}

export type Phase = 'commentary' | 'final_answer'

/** Consecutive events as they lie in the record: newline-joined JSON, `seq` to `last`. */
export interface Row {
  readonly project: string
  readonly stream: string
  readonly seq: number
  readonly last: number
  readonly ended: boolean
  readonly writer: number
  readonly body: string
}

/** Events that were taken out of a writer's queue, to be committed by a statement of the caller's. */
export interface Chunk {
  readonly row: Row
  /** `insert … on conflict do nothing returning project, stream`: no row means that another writer was faster. */
  readonly fragment: Fragment
  /** Writes them in a transaction. Rejects with `stream_lost` when another writer was faster. */
  insert(trx: Trx): Promise<void>
}

export interface CommitOptions {
  /** The last event ends the stream. */
  readonly ended?: boolean
  /** One try; whatever goes wrong, the writer is lost. */
  readonly once?: boolean
}

/** The only writer of a stream. Whatever it throws with code `stream_lost` means: stop, another one goes on. */
export interface Writer {
  readonly project: string
  readonly stream: string
  /** `seq` of the last event that is durable, -1 before the first. */
  readonly durable: number
  /** Queues an event and gives its `seq`. Readers get it after its commit. */
  append(type: string, fields: object): number
  /** Text that waits for the same commit becomes one `token` event; its `seq`. */
  token(content: string, phase: Phase): number
  /**
   * Commits what is queued, then `events`, together with what they make true. `write` runs the chunk's fragment in a
   * statement, or `insert` in a transaction, and resolves with its result; with `undefined` or `false` when the chunk was
   * not taken. Later events and commits wait until then.
   *
   * Resolves with that result; with `undefined` when all of it is in the record, but the answer was lost with the
   * connection. Rejects with `stream_lost` when another writer was faster, and with the error of `write` when nothing is
   * in the record: the writer goes on without these events. While the database is away it is tried again for half a
   * minute, with a chunk of its own each time; where the outcome is unknown even then, the writer is lost.
   */
  commit<T>(
    events: readonly EventInput[],
    write: (chunk: Chunk) => Promise<T | undefined | false>,
    options?: CommitOptions
  ): Promise<T | undefined>
  /** Appends the last event and waits until it is durable. */
  end(type: string, fields: object): Promise<void>
  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void>
  /** Flushes and lets go of a stream that another writer will claim; it does not end. */
  release(): Promise<void>
}

/** Events for a stream that has any number of writers. */
export interface Publication {
  readonly project: string
  readonly stream: string
  /** Names the stream's id in each event. */
  readonly idField: string
  readonly events: readonly EventInput[]
  /** The last event ends the stream. */
  readonly ended?: boolean
  /**
   * How many of the latest events stay, at least: those before them go by and by, some with every few hundred that are
   * published. Left out: all stay.
   */
  readonly keep?: number
}

/** A stream as a request is answered with it. */
export interface Served {
  readonly project: string
  /**
   * Or, of one that is to come, what resolves with it: readers get comments until then, which keep their connections alive,
   * and no event at all if it is undefined. Aborted when the reader leaves.
   */
  readonly stream: string | ((left: AbortSignal) => Promise<string | undefined>)
  /** Names the stream's id in each event. */
  readonly idField: string
  /** Ends the answer when it is aborted. */
  readonly signal?: AbortSignal
  /** Whether this event, as JSON, is the last one for this reader: nothing behind it is sent. */
  readonly isLast?: (event: string) => boolean
  /**
   * Called when the answer begins, with what sends events that are not stored, such as that a person types: with the `seq` of
   * the event before them. They are dropped while the reader is behind. What it returns is called at the end.
   */
  readonly live?: (send: (type: string, fields: object) => void) => () => void
  /** What readers get instead of the events. */
  readonly view?: View
  /** Where it begins, whatever the request says. */
  readonly after?: number
}

/** A stream in the words of another protocol. Each reader has its own, which may remember what it has shown. */
export interface View {
  /** The frames that are sent of an event, each as JSON; none where it says nothing to these readers. It may take its time, but must not fail. */
  show(event: StreamEvent): readonly object[] | Promise<readonly object[]>
  /** Nothing is sent behind that event, though the stream may go on. */
  isLast?(event: StreamEvent): boolean
  /** What keeps a connection alive; left out: a comment. */
  keepalive?(seq: number): object
  /** The `event` of a frame; left out: none has one. */
  nameOf?(frame: object): string
  /** The data of a frame of its own behind the last one, as it is: `[DONE]` of protocols that end so. */
  readonly end?: string
}

/** Durable, gapless, resumable event logs. An event is durable before it is visible. */
export interface Streams {
  /** The only writer of a new stream; `idField` names the stream's id in each event. With `after` it goes on behind
   *  that event: its first chunk is refused when another was faster, and belongs into the statement of a take-over. */
  open(project: string, stream: string, idField: string, after?: number): Writer
  /** The writer that this process holds. It outlives generations and steps. */
  writer(project: string, stream: string): Writer | undefined
  /** Claims a stream whose writer is gone by appending `first`: the log is the fence. Undefined when it has ended,
   *  is unknown, is published, or another was faster: since then, or since the state with that `last` (`after`) was found. */
  claim(
    project: string,
    stream: string,
    idField: string,
    first: EventInput,
    after?: number
  ): Promise<Writer | undefined>
  /**
   * Adds to streams of which every instance is a writer, each stream once, in the caller's transaction, which holds their
   * locks until it ends: so `seq` has no gap and follows the commits. Readers get the events after the commit. A stream is
   * of that kind, or has a `Writer`, from its first event on: `stream_lost` for one of the other kind, an error for one
   * that has ended.
   */
  publish(trx: Trx, publications: readonly Publication[]): Promise<void>
  /** Any number of chunks as one fragment of fixed text. `given` names a query of the same statement with a column
   *  `id`: only chunks of those streams are inserted. */
  fragment(chunks: readonly Chunk[], given?: string): Fragment
  /** Newline-joined JSON after `after`, durable events only, until the stream ends or is removed or `signal` aborts, or
   *  what comes next is not kept any more. What a slow consumer has not taken is read from the record. */
  follow(project: string, stream: string, after: number, signal?: AbortSignal): AsyncIterable<string>
  /** The first event after `after` that is so; undefined when the stream ends or is removed, or `signal` aborts, before. */
  until(
    project: string,
    stream: string,
    after: number,
    is: (event: StreamEvent) => boolean,
    signal?: AbortSignal
  ): Promise<StreamEvent | undefined>
  /** `seq` of the first event that is kept: 0 unless a publication says how many are. Undefined when unknown. */
  first(project: string, stream: string): Promise<number | undefined>
  /** Undefined when unknown. */
  state(project: string, stream: string): Promise<{ last: number; ended: boolean } | undefined>
  /**
   * Rewrites the events of a published stream in which that text stands, such as those about something that was deleted: each
   * keeps its type and `seq`. What readers got before is not taken back.
   */
  redact(
    trx: Trx,
    key: { readonly project: string; readonly stream: string },
    text: string,
    change: (event: Record<string, unknown>) => Record<string, unknown>
  ): Promise<void>
  /** Removes a whole stream, in the caller's transaction; its readers are let go after the commit. */
  remove(trx: Trx, project: string, stream: string): Promise<void>
  /** Answers with Server-Sent Events, resumed after the body's `after`, else the query's, else `Last-Event-ID`.
   *  Resolves when the headers are on their way; 404 (unknown), 400 (no such event, or one of a stream that
   *  is to come) or 410 `events_gone` (what comes next is not kept any more) before any. */
  serve(request: FastifyRequest, reply: FastifyReply, served: Served): Promise<void>
}
