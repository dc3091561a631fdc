/** A call of a tool, as a client asked for it. */
export interface CallContext {
  /** Aborted when the client does not wait for the result any more. */
  readonly signal: AbortSignal
  /** Aborted when the client said that it is not to be done. */
  readonly cancelled: AbortSignal
  /** The run that makes the call, by the platform's own client: what is begun for it descends from that one. */
  readonly run: { readonly id: string; readonly sessionId: string; readonly depth: number } | undefined
  /** Makes the same call again, where it begins a run. */
  readonly key: string | undefined
  /** Whether the client wants progress notifications. */
  readonly isFollowed: boolean
  /** `place` grows; never rejects. */
  progress(place: number, message: string, about?: Readonly<Record<string, string>>): Promise<void>
}
