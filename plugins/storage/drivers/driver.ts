import type { Readable } from 'node:stream'
import type { ByteRange, StoredObject } from '../contract.ts'

/** Bytes that were written whole, under a name that nobody reads. */
export interface Staged {
  /** Makes them the object of that digest, at once and durably. */
  commit(sha256: string): Promise<void>
  /** Deletes them. */
  discard(): Promise<void>
}

/** A place where objects lie. Its failures are those that callers see, such as 503 and 507. */
export interface Driver {
  /** Writes what comes, durably; when it fails nothing stays behind. */
  stage(source: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Whether the object lies there whole. */
  has(object: StoredObject): Promise<boolean>
  open(sha256: string, range?: ByteRange): Promise<Readable>
  /** No failure where there is none. */
  remove(sha256: string): Promise<void>
  /** Deletes what was staged before that moment and left, such as by a process that was killed; says how much. */
  removeStaged(before: Date): Promise<number>
}
