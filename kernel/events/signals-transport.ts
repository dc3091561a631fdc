/** Carries payloads to every instance that is connected; what it cannot carry now is lost or refused. */
export interface Transport {
  /** Whether everything that others publish now is heard. */
  readonly connected: boolean
  onChange(hear: (connected: boolean) => void): Disposable
  /** Rejects when the payloads could not be handed over. */
  publish(payloads: readonly string[]): Promise<void>
  close(): Promise<void>
}
