import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Principal } from 'agent-platform'
import { examineValue } from 'agent-platform'
import { RunFailure } from './failures.ts'
import type { Correction, Live } from './live-runs.ts'
import { encode } from './replay-filter.ts'
import type { Answer } from './reply-collector.ts'

/** What is wrong with an answer by its JSON Schema; undefined where it matches. */
async function faultOf(by: Principal, schema: object, text: string): Promise<string | undefined> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'is not valid JSON'
  }
  const fault = await examineValue(by, schema, value)
  return fault && `does not match the schema: ${fault.at} ${fault.text}`
}

/**
 * Whether the answer has to be asked for again, since it is not in the format of the run: once, after which the run fails.
 * Readers are told that the first one does not count when the second one begins to differ from it.
 */
export async function isToRepair(live: Live, { text, said, finishReason }: Answer): Promise<boolean> {
  const { answerSchema, isRepaired } = live.run.request
  if (!isRepaired || !answerSchema || finishReason === 'length' || finishReason === 'content_filter')
    return false
  const fault = await faultOf(live.by, answerSchema, text)
  if (fault === undefined) return false
  if (live.correction)
    throw new RunFailure('upstream', 'response_format_mismatch', `The answer of the model ${fault}`)
  live.correction = { text, fault }
  if (said) live.emitted = { text: encode([{ phase: 'final_answer', text }]), ...said }
  return true
}

/** Stands last in the prompt of the second request. */
export const correctionMessages = ({ text, fault }: Correction): LanguageModelV4Message[] => [
  { role: 'assistant', content: [{ type: 'text', text }] },
  {
    role: 'user',
    content: [{ type: 'text', text: `Your answer ${fault}. Repeat it as one JSON value that matches.` }]
  }
]
