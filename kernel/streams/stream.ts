import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fragment } from '../data/hot.ts'
import type { Trx } from '../data/transaction.ts'

/** What an event says beside its `type`, the id of its stream, and its `seq`. */
export interface Said {
  readonly type: string
  readonly fields: object
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
  /** `insert … on conflict do nothing returning project, stream`: no row means that it was refused. */
  readonly fragment: Fragment
  /** The statement was committed, with a row from the fragment. */
  settled(): void
  /** The statement was committed without: the stream was taken over, and the writer is lost. */
  refused(): void
  /** It was rolled back: the events are queued again without this chunk's `events`; the writer is lost when others
   *  were appended after those, for their numbers cannot be given twice. */
  failed(): void
  /** The connection broke: looks into the record. True when it was committed (nothing else is to be called), false
   *  when it may be run again. Rejects with `stream_lost` when another writer was faster. */
  unsure(): Promise<boolean>
}

/** The only writer of a stream. Whatever it throws with code `stream_lost` means: stop, another one goes on. */
export interface Writer {
  readonly project: string
  readonly stream: string
  /** `seq` of the last event that is durable, -1 before the first. */
  readonly durable: number
  /** Queues an event and gives its `seq`. Readers get it after its commit. */
  append(type: string, fields: object): number
  /** Text that waits for the same commit becomes one `token` event. */
  token(content: string, phase: Phase): void
  /** Holds the automatic flush, waits for the write in flight, appends `events` and takes what is queued. Later
   *  events and chunks wait until one of the four outcomes was told. */
  chunk(options?: { ended?: boolean; events?: readonly Said[] }): Promise<Chunk>
  /** Appends the last event and waits until it is durable. */
  end(type: string, fields: object): Promise<void>
  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void>
  /** Flushes and lets go of a stream that another writer will claim; it does not end. */
  release(): Promise<void>
}

/** A stream as a request is answered with it. */
export interface Served {
  readonly project: string
  readonly stream: string
  /** Names the stream's id in each event. */
  readonly idField: string
}

/** Durable, gapless, resumable event logs. An event is durable before it is visible. */
export interface Streams {
  /** The only writer of a new stream; `idField` names the stream's id in each event. With `after` it goes on behind
   *  that event: its first chunk is refused when another was faster, and belongs into the statement of a take-over. */
  open(project: string, stream: string, idField: string, after?: number): Writer
  /** The writer that this process holds. It outlives generations and steps. */
  writer(project: string, stream: string): Writer | undefined
  /** Claims a stream whose writer is gone by appending `first`: the log is the fence. Undefined when it has ended,
   *  is unknown, or another was faster: since then, or since the state with that `last` (`after`) was found. */
  claim(
    project: string,
    stream: string,
    idField: string,
    first: Said,
    after?: number
  ): Promise<Writer | undefined>
  /** Any number of chunks as one fragment of fixed text. `given` names a query of the same statement with a column
   *  `id`: only chunks of those streams are inserted. */
  fragment(chunks: readonly Chunk[], given?: string): Fragment
  /** Newline-joined JSON after `after`, durable events only, until the stream ends or is removed or `signal` aborts.
   *  What a slow consumer has not taken is read from the record. */
  follow(project: string, stream: string, after: number, signal?: AbortSignal): AsyncIterable<string>
  /** Undefined when unknown. */
  state(project: string, stream: string): Promise<{ last: number; ended: boolean } | undefined>
  /** Removes a whole stream, in the caller's transaction; its readers are let go after the commit. */
  remove(trx: Trx, project: string, stream: string): Promise<void>
  /** Answers with Server-Sent Events, resumed after the body's `after`, else the query's, else `Last-Event-ID`.
   *  Resolves when the headers are on their way; 404 (unknown) or 400 (no such event) come before any. */
  serve(request: FastifyRequest, reply: FastifyReply, served: Served): Promise<void>
}
