import type { APICallError } from '@ai-sdk/provider'
import { refusesSystem } from '../failures/rejected-parameters.ts'

const REFUSAL =
  /not (?:support|allow|enabled|a multi)|doesn't support|unsupported|unexpected|invalid|unknown|no endpoints/
/** Characters around a word in which what is said of it stands. */
const AROUND = 60
/** Some servers return 500 for what their template or model refuses. */
const REFUSED = new Set([400, 404, 415, 422, 500])

/** What a refused prompt can do without; undefined where the refusal is about something else. */
export function promptConcession(
  { statusCode = 0, responseBody = '' }: APICallError,
  messages: readonly object[]
): 'systemAsUser' | 'withoutImages' | 'oneText' | undefined {
  if (!REFUSED.has(statusCode)) return undefined
  const said = responseBody.toLowerCase()
  if (messages.some(isSystem) && (refusesSystem({ said }) || refuses(said, SYSTEM))) return 'systemAsUser'
  const isOfString = ofStrings.some((words) => said.includes(words)) && /messages|content/.test(said)
  if (messages.some(holdsImage) && (isOfString || refuses(said, IMAGE))) return 'withoutImages'
  return isOfString && messages.some(holdsParts) ? 'oneText' : undefined
}

/** As templates and vendors name them. */
const SYSTEM = /\b(?:system|developer) (?:role|message|prompt|instruction)|\brole '(?:system|developer)'/g
const IMAGE = /\bimages?\b|\bimage_url\b|\bvision\b|multi-?modal/g
/** As servers say it that know only strings. */
const ofStrings = [
  'expected a string',
  'invalid type: sequence',
  'should be a valid string',
  'must be a string'
]

/** Whether the text refuses one of the things that these words name. */
function refuses(said: string, words: RegExp): boolean {
  for (const { index } of said.matchAll(words))
    if (REFUSAL.test(said.slice(Math.max(index - AROUND, 0), index + AROUND))) return true
  return false
}

const isSystem = (message: object): boolean => 'role' in message && message.role === 'system'
const partsOf = (message: object): readonly { readonly type?: unknown }[] =>
  'content' in message && Array.isArray(message.content) ? message.content : []
const holdsParts = (message: object): boolean => partsOf(message).length > 0
const holdsImage = (message: object): boolean => partsOf(message).some(({ type }) => type === 'image_url')
