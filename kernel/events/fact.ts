import type { Owned } from '../identity/ownership.ts'

/** An amount of something metered, as a decimal string. */
export interface Usage {
  readonly meter: string
  readonly quantity: string
}

/** Amounts of the same meter are one. */
export function sumUsage(usage: readonly Usage[]): Usage[] {
  const sums = new Map<string, number>()
  for (const { meter, quantity } of usage) sums.set(meter, (sums.get(meter) ?? 0) + Number(quantity))
  return [...sums].map(([meter, sum]) => ({ meter, quantity: String(Math.round(sum * 1_000) / 1_000) }))
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
