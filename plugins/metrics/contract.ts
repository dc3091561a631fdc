/** One metric of a pack, as it is now. */
export interface Metric {
  /** Follows `agent_platform_` and the name of the pack, as in `agent_platform_sandbox_calls`; of a counter it ends in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  /** Each with the same labels. Their values come from a small set that the pack knows: no ids, nothing that a caller wrote. */
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[]
}

/** What a pack has to tell an operator of this instance. */
export interface MetricSource {
  /** Asked at each reading, so from memory; where it throws, its metrics are left out. */
  read(): readonly Metric[]
}

declare module 'agent-platform' {
  interface Points {
    'metrics.source': MetricSource
  }
}
