import type { UiPlugins } from '../../ui-plugins/contract.ts'
import type { ScorerOf } from '../schemas/scorers.ts'
import type { Scored, Verdict } from './scorer.ts'
import { graded, unscored, yesNo } from './scorer.ts'

/** A function of an app says what an answer is worth. What it gives is a stranger's. */
export async function scoreByFunction(
  { app, function: name, threshold }: ScorerOf<'app_function'>,
  { by, row, output, signal }: Scored,
  apps: UiPlugins | undefined
): Promise<Verdict> {
  if (!apps) return unscored('Apps are not installed or off')
  const { input, expected, metadata, agentId, runId } = row
  const asked = { input, expected, output, metadata }
  const value = await apps.callFunction(by, app, name, asked, {
    ...{ signal, agentId, depth: 1 },
    ...(runId !== null && { runId })
  })
  if (typeof value === 'boolean') return yesNo(value)
  if (typeof value === 'number') return scored(value, threshold)
  if (typeof value !== 'object' || value === null) return unscored('The function gave no score')
  const { score, passed, reason } = value as { score?: unknown; passed?: unknown; reason?: unknown }
  const words = typeof reason === 'string' ? reason.replaceAll('\0', '\ufffd').toWellFormed() : null
  const verdict = scored(score, threshold, words)
  return typeof passed === 'boolean' && verdict.score !== null ? { ...verdict, passed } : verdict
}

const scored = (score: unknown, threshold: number | undefined, reason: string | null = null): Verdict =>
  typeof score === 'number' && score >= 0 && score <= 1
    ? graded(score, threshold, reason)
    : unscored('The function gave a score that is not from 0 to 1')
