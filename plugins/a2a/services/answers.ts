import type { Principal } from 'agent-platform'
import type { Decision, QuestionAnswer, Run, Runs } from '../../runs/contract.ts'
import { failed } from '../protocol/errors.ts'
import type { Part } from '../protocol/parts.ts'

export type Answers = ReturnType<typeof createAnswers>

type Pending = Run['pending'][number]
type Said = Readonly<Record<string, unknown>>

const YES = /^\s*(?:approved?|yes|ok(?:ay)?|allow(?:ed)?)\b[\s.!]*$/i
const NO = /^\s*(?:reject(?:ed)?|no|den(?:y|ied)|decline)\b[\s:,.!-]*/i

/** What the next message of a task that waits is: a decision about calls, and answers to what tools ask. */
export function createAnswers({ runs }: { runs: Runs }) {
  return async function answer(by: Principal, { id, pending }: Run, parts: readonly Part[]): Promise<void> {
    const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    const data = parts.flatMap((part) => ('data' in part ? [part.data as Said] : []))[0]
    const meant = pending.filter((it) => isMeant(it, data))
    if (meant.length === 0) throw failed('INVALID_PARAMS', 'The task does not wait for that')
    // All of them are understood before the first is given.
    const given = meant.map((it) => () => give(by, id, it, text, data))
    const checked = meant.map((it) =>
      it.for === 'elicitation' ? answerOf(it, text, data) : decisionOf(text, data)
    )
    if (checked.length === given.length) for (const one of given) await one()
  }

  function give(by: Principal, runId: string, it: Pending, text: string, data: Said | undefined) {
    if (it.for === 'elicitation') return runs.answer(by, runId, it.elicitationId, answerOf(it, text, data))
    return runs.decide(by, runId, it.callId, decisionOf(text, data))
  }
}

/** Where the message names one of them, it is about that one. */
function isMeant(it: Pending, data: Said | undefined): boolean {
  if (it.for === 'result') return false
  if (data?.elicitationId !== undefined)
    return it.for === 'elicitation' && it.elicitationId === data.elicitationId
  if (data?.callId !== undefined) return it.callId === data.callId
  return true
}

function decisionOf(text: string, data: Said | undefined): Decision {
  const said = data?.decision ?? text
  if (typeof said === 'string' && YES.test(said))
    return { decision: 'approve', ...(data?.forSession === true && { forSession: true }) }
  if (typeof said !== 'string' || !NO.test(said))
    throw failed('INVALID_PARAMS', 'A call has to be approved: answer "approve", or "reject" and why')
  const why = typeof data?.comment === 'string' ? data.comment : said.replace(NO, '')
  const comment = why.trim().slice(0, 2_000)
  return { decision: 'reject', ...(comment && { comment }) }
}

function answerOf(
  { schema }: Extract<Pending, { for: 'elicitation' }>,
  text: string,
  data: Said | undefined
): QuestionAnswer {
  const { action, content, elicitationId: _, ...rest } = data ?? {}
  if (action === 'decline' || action === 'cancel') return { action }
  if (data) return { action: 'accept', content: (content ?? rest) as Record<string, unknown> }
  if (/^\s*(?:decline|cancel)[\s.!]*$/i.test(text)) return { action: 'decline' }
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const [only, ...others] = Object.keys(properties)
  if (only === undefined || others.length > 0 || properties[only]?.type !== 'string')
    throw failed('INVALID_PARAMS', 'The question wants a part of data, as its schema has it')
  return { action: 'accept', content: { [only]: text } }
}
