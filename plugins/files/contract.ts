import type { Readable } from 'node:stream'
import type { Owned, Principal, Trx, Verb } from 'agent-platform'
import type { ByteRange } from '../storage/contract.ts'
import type { Avatar, File } from './schemas.ts'

export type { Avatar, File }

/**
 * What a file came from. `upload`: a person or an agent sent it. `run`, `tool`, `code`: it is what one of them made.
 * `internal`: a pack keeps it for a purpose of its own, and people do not see it in the library.
 */
export interface FileOrigin {
  readonly type: 'upload' | 'run' | 'tool' | 'code' | 'internal'
  /** What it came from, nearest first, such as a call, its run and its session; at most 10. Default: none. */
  readonly chain?: readonly { readonly type: string; readonly id: string }[]
}

/** What is said of a file that is stored. */
export interface FileAbout {
  /** As it was called where it comes from: paths and control characters are taken out. */
  readonly name: string
  /** What its sender calls it; believed where its bytes do not tell, and it is a kind of text. */
  readonly mediaType?: string
  /** In bytes; default: the setting `fileBytes`, which it cannot exceed. */
  readonly maxBytes?: number
  /** Where it belongs to something that another principal owns; default: the owner of what the principal makes. */
  readonly owner?: string
  /** Of `newId('file')`, for a caller that noted it before; default: a new one. */
  readonly id?: string
  /** Default: an upload. */
  readonly origin?: FileOrigin
}

/** What a picture is for. */
export interface PictureAbout {
  /** Begins a sentence: "An avatar". */
  readonly what: string
  /** JSON pointer to where it stood in the caller's request. */
  readonly param: string
}

export interface Files {
  /**
   * Stores bytes as a file of the principal's owner, and returns when it is durable. 413 beyond the cap, 507
   * `insufficient_storage` (code `quota_exceeded`) beyond the owner's quota; then nothing is kept.
   */
  store(by: Principal, source: AsyncIterable<Uint8Array>, about: FileAbout): Promise<File & Owned>
  /** The file, if the principal may do that with it; 404 or 403 otherwise, with `param` where the id stood in a body. */
  find(by: Principal, fileId: string, verb: Verb, param?: string): Promise<File & Owned>
  /** Those whose origin names that run, of whichever owner, in the order of their making. */
  madeIn(project: string, runId: string, limit: number): Promise<readonly (File & Owned)[]>
  /** The file that the principal may read, and a stream of its bytes or of a range of them. */
  open(by: Principal, fileId: string, range?: ByteRange): Promise<{ file: File; stream: Readable }>
  /** A stream of the bytes of a file that was found, or of a range of them. */
  stream(file: Pick<File, 'sha256'>, range?: ByteRange): Promise<Readable>
  /** All of the bytes of a file that was found; 413 where they are more than `maxBytes`. */
  read(file: Pick<File, 'sha256'>, maxBytes: number): Promise<Buffer>
  /**
   * Deletes a file, in the caller's transaction, for a pack that has decided that it may go; its bytes go after a grace
   * period, unless something else holds them. False where there is none.
   */
  remove(trx: Trx, by: Principal, file: Owned & { readonly id: string }): Promise<boolean>
  /**
   * A picture of a stranger, made anew by the process for documents: a WebP, cut to a square, upright, of at most 512 pixels a side,
   * without metadata. 415 for what is no PNG, JPEG or WebP by its bytes, 400 `image_unreadable` for what cannot be decoded, or not
   * at a bearable cost, 503 `capability_missing` where there is no `extraction`.
   */
  picture(by: Principal, bytes: Uint8Array, about: PictureAbout): Promise<Uint8Array>
  /** Makes a picture, as `picture` does, the avatar of an agent that the principal may change; `param` as there. */
  setAvatar(by: Principal, agentId: string, bytes: Uint8Array, param: string): Promise<Avatar>
}

declare module 'agent-platform' {
  interface Services {
    files: Files
  }
  interface Facts {
    'files.uploaded': File & { readonly origin: Required<FileOrigin> }
    'files.deleted': { id: string }
    'files.avatar_replaced': Avatar
  }
}
