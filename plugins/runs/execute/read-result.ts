import type { Sessions } from '../../sessions/contract.ts'
import type { Tool } from '../contract.ts'
import type { ContextStore } from '../stores/contexts.ts'
import { toText } from './prompt-messages.ts'
import { cleanText } from './sanitize.ts'

export const READ_RESULT = 'read_result'

const USUAL = 4_000
const MOST = 20_000

/** Stands in a prompt for a result that was moved out of it. */
export const referenceTo = (callId: string, length: number): string =>
  `[This result has ${length} characters and was moved out of the prompt. To read it again, call ${READ_RESULT} with callId "${callId}".]`

const parameters = {
  type: 'object',
  properties: {
    callId: { type: 'string', maxLength: 200, description: 'As the reference names it' },
    offset: { type: 'integer', minimum: 0, description: 'Character to begin with; default 0' },
    limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Characters; default ${USUAL}` }
  },
  required: ['callId'],
  additionalProperties: false
}

/** Reads results of earlier calls of the session that no longer stand in the prompt. */
export const readResultTool = (
  { findResult }: Pick<ContextStore, 'findResult'>,
  { resultOf }: Pick<Sessions, 'resultOf'>
): Tool => ({
  name: READ_RESULT,
  description: 'Read the result of an earlier tool call that was moved out of the prompt, in pages.',
  parameters,
  idempotent: true,
  async call({ run, args }) {
    const { callId, offset = 0, limit = USUAL } = Object(args) as Record<string, unknown>
    const isCount = (it: unknown, least: number) => Number.isSafeInteger(it) && Number(it) >= least
    if (typeof callId !== 'string' || !isCount(offset, 0) || !isCount(limit, 1))
      return { output: 'callId is a string, offset and limit are whole numbers', isError: true }
    // Of a run that has not ended, else of the session: a fork has the results of the session that it was forked from.
    const of = [run.project, run.sessionId, callId] as const
    const found = (await findResult(...of)) ?? (await resultOf(...of))
    if (!found) return { output: 'No such result in this session. It may have been deleted.', isError: true }
    const text = toText(found.output)
    const from = Math.min(Number(offset), text.length)
    const to = Math.min(from + Math.min(Number(limit), MOST), text.length)
    const more = to < text.length ? `\n[${text.length - to} more characters: continue with offset ${to}]` : ''
    return { output: cleanText(text.slice(from, to)) + more }
  }
})
