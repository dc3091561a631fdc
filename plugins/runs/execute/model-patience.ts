import type { RunSettings } from '../settings.ts'
import { RunFailure } from './failures.ts'

/**
 * Ends a call of the model that is silent for too long, or takes too long in all. Whatever comes over its connection is
 * a sign of life; that is looked up when the time is over, and costs nothing before.
 */
export function createModelPatience(
  { idleSeconds, replySeconds }: Pick<RunSettings, 'idleSeconds' | 'replySeconds'>,
  received: () => number | undefined,
  end: (failure: RunFailure) => void
) {
  let seen = 0
  const late = (message: string) => end(new RunFailure('upstreamTimeout', 'model_timeout', message))
  const idle = setTimeout(() => {
    const now = received() ?? 0
    if (now === seen) return late(`The model was silent for ${idleSeconds} s`)
    seen = now
    idle.refresh()
  }, idleSeconds * 1_000)
  const total = setTimeout(
    () => late(`The reply of the model took longer than ${replySeconds} s (RUN_REPLY_SECONDS)`),
    replySeconds * 1_000
  )

  return {
    /** A part has come. */
    refresh(): void {
      seen = received() ?? 0
      idle.refresh()
    },
    stop(): void {
      clearTimeout(idle)
      clearTimeout(total)
    }
  }
}
