import type { Owned } from '../identity/ownership.ts'

/** An amount of something metered, as a decimal string. */
export interface Usage {
  readonly meter: string
  readonly quantity: string
}

/** What a fact says beside its name and who did it. */
export interface FactDetails<D = unknown> {
  /** The id of the thing it is about: facts of one subject are handled in order. */
  readonly subject: string
  readonly owner: string
  readonly data: D
  /** What it consumed, if anything: read by usage and credits, whatever the fact is. */
  readonly usage?: readonly Usage[]
}

/** A fact as a listening pack gets it. */
export interface Fact<D = unknown> extends FactDetails<D>, Owned {
  readonly id: string
  readonly name: string
  readonly owner: string
  /** ISO 8601. */
  readonly at: string
  /** Id of the principal that did it. */
  readonly actor: string
}
