import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { markUntrusted } from 'agent-platform'
import type { Live } from './live-runs.ts'
import { summarizedUntil } from './prompt-contents.ts'

const HISTORY = 'A summary of the earlier messages of this conversation, which no longer stand here:'
const STEPS =
  'A summary of what you did for this request so far; these calls and results no longer stand here:'

const marked = (title: string, text: string) => `<summary>\n${title}\n\n${text}\n</summary>`

/** What stands in the prompt of a run for earlier messages, and for its own first steps. */
export function summariesOf(live: Live): { history?: string; steps?: string } {
  const { summary } = live.history ?? {}
  const steps = live.steps[summarizedUntil(live)]?.summary
  return {
    ...(summary && {
      history: marked(HISTORY, summary.untrusted ? markUntrusted(summary.content) : summary.content)
    }),
    // Results of tools are in it.
    ...(steps && { steps: marked(STEPS, markUntrusted(steps)) })
  }
}

export const summaryMessage = (text: string | undefined): LanguageModelV4Message[] =>
  text === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text }] }]
