import type { RunningCall } from './running-call.ts'

/** Why a process is no more, and which program it was, where that is known. */
export interface Lost {
  readonly reason: 'died' | 'hung' | 'memory_exceeded' | 'not started'
  readonly culprit?: string
}

/** Of a process, by the pool. */
export interface Hearing {
  /** It can be given to whom that waits. */
  free(): void
  /** Once. `calls` were in it. */
  lost(lost: Lost, calls: readonly RunningCall[]): void
  /** It has no calls, and is not to have any more. */
  spent(): void
  /** The program went in the meantime: once more. */
  again(call: RunningCall): void
  survived(culprit: string): void
  /** Whether it takes so much of the processor that others come first. */
  isGreedy(culprit: string): boolean
}
