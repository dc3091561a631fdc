import type { CallUsage, Usage } from '../../runs/contract.ts'
import type { Spent } from '../rows.ts'

/** How a run ended, as `runs` tells it. */
export interface Ended {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
  readonly modelProvider: string | null
  readonly modelId: string | null
  /** Of each call of a model, which it names. */
  readonly steps: readonly CallUsage[]
}

/** By model, each once. */
export function spentOf({ steps, modelProvider, modelId }: Ended): Spent[] {
  const byModel = new Map<string, Spent>()
  for (const step of steps) {
    const asked = step.modelProvider === undefined ? { modelProvider, modelId } : step
    const key = `${asked.modelProvider}/${asked.modelId}`
    const usage = sumOf(byModel.get(key)?.usage, step)
    byModel.set(key, { modelProvider: asked.modelProvider ?? null, modelId: asked.modelId ?? null, usage })
  }
  return [...byModel.values()]
}

const sumOf = (
  one: Usage | undefined,
  { inputTokens, cachedTokens, cacheWriteTokens, outputTokens }: Usage
): Usage => ({
  inputTokens: inputTokens + (one?.inputTokens ?? 0),
  cachedTokens: cachedTokens + (one?.cachedTokens ?? 0),
  ...((cacheWriteTokens ?? one?.cacheWriteTokens) !== undefined && {
    cacheWriteTokens: (cacheWriteTokens ?? 0) + (one?.cacheWriteTokens ?? 0)
  }),
  outputTokens: outputTokens + (one?.outputTokens ?? 0)
})
