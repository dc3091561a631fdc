import type { Readable } from 'node:stream'
import type { Trx } from 'agent-platform'

/** Bytes that lie in the storage, under their own digest. */
export interface StoredObject {
  /** 64 hexadecimal digits, in lower case. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
}

/** What was just put. */
export interface PutObject extends StoredObject {
  /** Tells this put from others of the same bytes. */
  readonly putAt: string
}

/** From the byte at `start` to the byte at `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Object storage, content-addressed: the same bytes lie there once, whatever put them there. It knows no owners: who may
 * read an object, and how much, decides the pack that holds it.
 */
export interface Objects {
  /**
   * Stores what the stream gives, piece by piece, and returns when it is durable. 413 `request_too_large` beyond `maxBytes`,
   * 507 where there is no room, 503 `storage_unavailable` where the storage cannot be reached, or whatever the stream failed
   * with; then nothing stays behind. What is not linked within the grace period is deleted.
   */
  put(
    source: AsyncIterable<Uint8Array>,
    limit: { readonly maxBytes: number; readonly signal?: AbortSignal }
  ): Promise<PutObject>
  /** Gives up what was put and is not to be linked: it goes at once, unless something holds it or it was put again. */
  release(put: PutObject): Promise<void>
  /**
   * Keeps an object for as long as the holder has it, in the caller's transaction. `holder` is `<pack>/<id>`, and may hold any
   * number. 503 `object_swept` where the object is not there (any more): it has to be put again.
   */
  link(trx: Trx, sha256: string, holder: string): Promise<void>
  /** Gives back all that the holder has, in the caller's transaction. What nothing holds goes after the grace period. */
  unlink(trx: Trx, holder: string): Promise<void>
  /** What is known of an object; undefined where there is none. */
  find(sha256: string): Promise<StoredObject | undefined>
  /** A stream of the object's bytes, or of a range that lies within it; 503 where the storage cannot be reached. */
  open(sha256: string, range?: ByteRange): Promise<Readable>
  /** All of its bytes; 413 where they are more than `maxBytes`. */
  read(sha256: string, maxBytes: number): Promise<Buffer>
}

declare module 'agent-platform' {
  interface Services {
    storage: Objects
  }
}
