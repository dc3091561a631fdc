import type { Words } from '../../sessions/contract.ts'
import type { StepRow } from '../stores/steps.ts'
import { tokensOfOutput, tokensOfReply } from './context-budget.ts'
import type { Live } from './live-runs.ts'
import { toText } from './prompt-messages.ts'
import { tokensIn } from './token-estimate.ts'

/** What was said in the session, as far as it was read. */
export const saidIn = ({ history }: Live): readonly Words[] =>
  history?.messages.filter(({ role }) => role !== 'system') ?? []

/** The index of the last step that a summary stands for; -1 for none. */
export const summarizedUntil = ({ steps }: Live): number =>
  steps.findLastIndex(({ summary }) => summary != null)

/** A message as it stands in prompts: with a reference, where its result was moved out of them. */
export function asRead({ referenced }: Live, words: Words): Words {
  const reference = words.role === 'tool' ? referenced.get(words.callId) : undefined
  return reference === undefined ? words : { ...words, content: reference }
}

/** The same of a step. */
export const readStep = ({ referenced }: Live, step: StepRow): StepRow =>
  step.calls.some(({ id }) => referenced.has(id))
    ? {
        ...step,
        calls: step.calls.map((call) => ({ ...call, output: referenced.get(call.id) ?? call.output }))
      }
    : step

/** The steps behind the latest summary, as they stand in prompts. */
export const readSteps = (live: Live): StepRow[] =>
  live.steps.slice(summarizedUntil(live) + 1).map((step) => readStep(live, step))

export const tokensOfStep = (step: StepRow): number =>
  step.calls.reduce((sum, call) => sum + tokensOfOutput(call), tokensOfReply(step))

/** Results in the prompt, the oldest first. */
export function resultsOf(live: Live): { callId: string; text: string }[] {
  const earlier = saidIn(live).flatMap((words) =>
    words.role === 'tool' ? { callId: words.callId, text: words.content } : []
  )
  const steps = live.steps.slice(summarizedUntil(live) + 1)
  const own = steps.flatMap(({ calls }) =>
    calls.map(({ id, output }) => ({ callId: id, text: toText(output) }))
  )
  return [...earlier, ...own]
}

/** Where the newest ones begin that have so many tokens; the last one is among them. */
export function newestResults(results: readonly { readonly text: string }[], tokens: number): number {
  let left = tokens
  let at = results.length
  while (at > 0) {
    left -= tokensIn(results[at - 1]?.text ?? '')
    if (left < 0 && at < results.length) break
    at--
  }
  return at
}

/** Whether results of calls stand in its prompt no more, so that it has to be able to read them. */
export const lacksResults = (live: Live, hasTools: boolean): boolean =>
  live.referenced.size > 0 ||
  (hasTools && (live.history?.summary !== undefined || summarizedUntil(live) >= 0))
