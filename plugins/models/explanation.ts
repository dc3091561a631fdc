/** Which model would answer, for people to read. */
export interface Explanation {
  readonly modelProvider: string
  /** As people know it. */
  readonly providerName: string
  /** Null where the provider cannot say which one is its default. */
  readonly modelId: string | null
  /** Whether it has what it needs to be asked. */
  readonly configured: boolean
  /** Why it is this one; goes on after a colon. */
  readonly reason: string
}
