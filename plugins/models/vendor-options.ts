import type { JSONObject } from '@ai-sdk/provider'

/** Options that vendors name differently. */
export interface VendorOptions {
  readonly parallelToolCalls?: boolean
  /** Maximum number of reasoning tokens per reply. */
  readonly reasoningTokens?: number
}

/** The same options in `providerOptions` of a vendor; undefined if it has none of them. */
export type VendorOptionsOf = (options: VendorOptions) => JSONObject | undefined
