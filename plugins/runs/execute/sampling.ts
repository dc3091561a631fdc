import type { RunOptions } from '../schemas/options.ts'

/** As the agent has it. */
interface Own {
  readonly temperature: number | null
  readonly maxTokens: number | null
}

/** How the model of a run is asked: as its order says, else as its agent does, whose `maxTokens` is the most. */
export function samplingOf({ temperature, maxTokens }: Own, ordered: RunOptions = {}): Own {
  const most = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, ordered.maxTokens ?? Number.POSITIVE_INFINITY)
  return {
    temperature: ordered.temperature ?? temperature,
    maxTokens: most === Number.POSITIVE_INFINITY ? null : most
  }
}
