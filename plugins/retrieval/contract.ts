import type { Owned, Trx } from 'agent-platform'

/** What hits may be narrowed by; names and values are short, and not searched. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Something that can be found. */
export interface Entry {
  /** The id of what it stands for; one entry a collection and id. */
  readonly id: string
  /** What is searched together: an agent, a space. Search never leaves the scopes that it is given. */
  readonly scope: string
  /** At most 32 Ki characters. The vector stands for its beginning where the model reads less. */
  readonly text: string
  readonly attributes?: Attributes
}

/** A pack's kind of entries, `<pack>.<collection>`, its key at the point. */
export interface Collection {
  /** As people know it, in a word or two. */
  readonly name: string
  /**
   * Up to `limit` of all entries that a project has now, those behind the id `after` in the database's order of ids. Asked
   * when the pack is back after its entries were removed, in the transaction that puts them: what they stand for is locked
   * (`for share`), so that none is put that is just going.
   */
  list(
    trx: Trx,
    project: string,
    after: string,
    limit: number
  ): Promise<readonly (Entry & { readonly owner: string })[]>
}

/** Which entries: of these ids, or of these scopes as a whole. */
export type Which =
  | { readonly ids: readonly string[]; readonly scopes?: never }
  | { readonly scopes: readonly string[]; readonly ids?: never }

export interface SearchQuery {
  readonly project: string
  readonly collection: string
  /** At most 100. None: nothing is found. */
  readonly scopes: readonly string[]
  /** What is looked for, as people say it; at most 4 Ki characters count. */
  readonly query: string
  /** At most 200; default 10. */
  readonly limit?: number
  /** Entries that have these attributes, each equal to the value or to one of the values. */
  readonly filter?: Readonly<Record<string, Attributes[string] | readonly Attributes[string][]>>
  readonly signal?: AbortSignal
}

/** A list in which an entry was found. */
export interface Found {
  /** By vectors the cosine, from -1 to 1; by text the share of the words of the query, rare words counting more: above 0, at most 1. */
  readonly score: number
  /** Counts from 1. */
  readonly rank: number
}

export interface Hit {
  readonly id: string
  readonly scope: string
  /** Above 0, at most 1: what both lists place first has 1. Comparable within one search. */
  readonly score: number
  readonly why: { readonly vector?: Found; readonly text?: Found }
}

/** How far the vectors of entries are. */
export interface Progress {
  readonly total: number
  /** Those with a vector of the model that the project has now. */
  readonly embedded: number
  /** Those that cannot be embedded; they are found by their text. */
  readonly failed: number
  /** The model that vectors are made with now: `<provider>/<model>`. Undefined where there is none. */
  readonly model: string | undefined
}

export interface Retrieval {
  /**
   * Adds entries, or replaces those of the same ids, in the caller's transaction. They are found by their text from the
   * commit on, by vectors soon after it: right away where they are few (see `embedded`), else by jobs. An entry whose
   * text is the one that it had keeps its vector. At most 1,000 a call.
   */
  put(trx: Trx, owner: Owned, collection: string, entries: readonly Entry[]): Promise<void>
  /** Removes entries in the caller's transaction; what is unknown is no error. No search after the commit finds them. */
  remove(trx: Trx, project: string, collection: string, which: Which): Promise<void>
  /**
   * Waits until those entries have vectors, after the commit of `put`; at most 64. False where they have none yet after
   * `waitMs` (default 2,000), or cannot have one: they are found by their text meanwhile.
   */
  embedded(
    project: string,
    collection: string,
    ids: readonly string[],
    options?: { waitMs?: number; signal?: AbortSignal }
  ): Promise<boolean>
  /**
   * What fits best, the best first: vectors and full text fused by reciprocal ranks. Where the model cannot be asked,
   * by full text alone. Sees every `put` and `remove` whose commit came before it, on whatever instance.
   */
  search(query: SearchQuery): Promise<readonly Hit[]>
  progress(project: string, collection: string, scopes?: readonly string[]): Promise<Progress>
}

declare module 'agent-platform' {
  interface Services {
    retrieval: Retrieval
  }
  interface Points {
    /** Whose collection it is says what is in it; it is searched while the pack is on. */
    'retrieval.collection': Collection
  }
}
