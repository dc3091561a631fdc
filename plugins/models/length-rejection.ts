import type { LengthRejection } from './asking.ts'
import { lengthWordings } from './failures/length-wordings.ts'

/** The reply that was asked for is too long, and not the prompt. */
const OF_REPLY = ['max_tokens', 'max_completion_tokens', 'maxoutputtokens', 'max_output_tokens']

/** What stands before the size of the window, and before the size of the request. */
const WINDOW = [
  'maximum context length is',
  'maximum context length of',
  'maximum context length:',
  'maximum prompt length is',
  'maximum model length of',
  'maximum input length (',
  'maximum context length (',
  'maximum allowed input length of',
  'max_seq_len',
  'context length (',
  'tokens allowed (',
  '"n_ctx":',
  'too large for model with',
  'must be <=',
  'model token limit:',
  'max size:',
  'cannot exceed',
  'supports up to',
  'exceeds the limit of',
  'while limit is',
  'must have less than',
  ' > '
]
const PROMPT = [
  'resulted in',
  'requested about',
  '(requested:',
  'input length (',
  'input length',
  'prompt too long:',
  'requested a total of',
  'you requested',
  'prompt contains',
  'request contains',
  'token count (',
  'token count is',
  'token count of',
  '"n_prompt_tokens":',
  'prompt is too long:',
  'prompt (length',
  'current length is',
  'context limit:',
  'the input (',
  'received',
  'given:'
]

/** Limits of another kind: of tokens a minute, for instance. */
const NEVER = new Set([401, 402, 403, 404, 408, 429, 503, 529])
/** Too large, as HTTP has it: some servers send nothing else. */
const TOO_LARGE = 413

/** What an error of a model says about the length of its request; undefined where it is about something else. */
export function lengthRejection(error: unknown): LengthRejection | undefined {
  const { statusCode, responseBody, message } = Object(error) as Record<string, unknown>
  if (typeof statusCode === 'number' && NEVER.has(statusCode)) return undefined
  const said = [responseBody, message].filter((it) => typeof it === 'string').join('\n')
  const text = said.slice(0, 4_000).toLowerCase()
  if (statusCode !== TOO_LARGE && !lengthWordings.some((words) => text.includes(words))) return undefined
  if (text.includes('please wait') || text.includes('per minute')) return undefined
  if (OF_REPLY.some((name) => isTooLarge(text, name))) return undefined
  const contextTokens = numberAfter(text, WINDOW)
  const promptTokens = numberAfter(text, PROMPT)
  return { ...(contextTokens && { contextTokens }), ...(promptTokens && { promptTokens }) }
}

/** As vLLM says it: `'max_tokens' or 'max_completion_tokens' is too large: 5000.` */
function isTooLarge(text: string, name: string): boolean {
  const at = text.indexOf(name)
  return at >= 0 && text.slice(at, at + name.length + 40).includes('is too large')
}

/** Fewer are no window, but the number of a line or a code. */
const LEAST = 128
/** How far behind its words a number may begin. */
const DISTANCE = 3

function numberAfter(text: string, words: readonly string[]): number | undefined {
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) continue
    let start = at + word.length
    const limit = start + DISTANCE
    while (start < limit && !isDigit(text[start])) start++
    let digits = ''
    for (let end = start; isDigit(text[end]) || (digits !== '' && isSeparator(text, end)); end++)
      if (isDigit(text[end])) digits += text[end]
    const number = Number(digits)
    if (digits.length < 10 && number >= LEAST) return number
  }
  return undefined
}

const isDigit = (character: string | undefined) =>
  character !== undefined && character >= '0' && character <= '9'
/** As in 200,000. */
const isSeparator = (text: string, at: number) => text[at] === ',' && isDigit(text[at + 1])
