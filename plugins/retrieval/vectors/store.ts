import type { Trx } from 'agent-platform'
import type { Pending } from '../stores/entries.ts'
import type { Nearest } from './matrices.ts'

/** What is near a vector, in scopes of a collection. */
export interface VectorQuery {
  readonly project: string
  readonly collection: string
  readonly scopes: readonly string[]
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  /** Only these entries. */
  readonly allowed?: readonly number[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where vectors are kept and searched. What goes with its entry is removed by `stores/entries.ts`. */
export interface VectorStore {
  /** In the caller's transaction; what is gone meanwhile, or has another text, is left out. */
  insert(
    trx: Trx,
    project: string,
    model: string,
    rows: readonly (Pending & { readonly vector: Float32Array })[]
  ): Promise<void>
  /** Up to `limit` of a model; how many went. */
  removeOf(trx: Trx, project: string, model: string, limit: number): Promise<number>
  /** Those with the greatest cosine, the greatest first. Sees what was committed before. */
  search(query: VectorQuery): Promise<readonly Nearest[]>
  /** Gives what is kept its place in an index of this store, where it has one; what has none yet is found as well. */
  index(signal: AbortSignal): Promise<void>
}
