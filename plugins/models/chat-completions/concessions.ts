import type { SharedV4Warning } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import type { Refusal } from '../failures/rejected-parameters.ts'
import { refusalOf, refusesSystem, refusesTools, rejectedBy } from '../failures/rejected-parameters.ts'
import type { MessageDialect } from './messages.ts'
import { retainedFields } from './opaque.ts'
import { promptConcession } from './prompt-refusals.ts'

/** What requests to a server leave out or add, since it refuses them otherwise. */
export interface Concessions extends Pick<MessageDialect, 'bare' | 'needsThoughts' | 'needsSignatures'> {
  /** Fields of the body that are left out. */
  readonly without?: readonly string[]
  /** `max_completion_tokens` instead of `max_tokens`, or the other way around. */
  readonly otherLimit?: boolean
  /** `json_object` instead of a schema. */
  readonly plainJson?: boolean
  /** System messages are a part of the first message of the user. */
  readonly systemAsUser?: boolean
  /** Without images. */
  readonly withoutImages?: boolean
  /** The content of each message is one string. */
  readonly oneText?: boolean
}

interface More {
  readonly concessions: Concessions
  /** Later requests would be refused for the same. */
  readonly isLasting: boolean
}
type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly object[] }

const MISSING = /must be passed back|missing|required/i
const isInvalidSignature = (message: string) =>
  /signature/i.test(message) && /invalid|not valid|corrupt/i.test(message)
const RETAINED = new RegExp(`\\b(${retainedFields.join('|')})\\b`)
/** Without them it is no request. */
const needed = new Set(['model', 'messages', 'stream'])
const limits: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens'
}

/** What was conceded, and more. */
export const joined = (made: Concessions, more: Concessions): Concessions => ({
  ...made,
  ...more,
  without: [...(made.without ?? []), ...(more.without ?? [])]
})

/** What a refused request can do without, by its body; undefined where there is nothing left to try. */
export function concessionTo(error: unknown, made: Concessions, body: Body): More | undefined {
  if (!APICallError.isInstance(error)) return undefined
  const { statusCode } = error
  const ofPrompt = promptConcession(error, body.messages)
  if (ofPrompt) return made[ofPrompt] ? undefined : { concessions: { [ofPrompt]: true }, isLasting: true }
  if (statusCode !== 400 && statusCode !== 404 && statusCode !== 422) return undefined
  return (
    (statusCode === 404 ? undefined : retainedConcession(error.responseBody ?? '', made, body.messages)) ??
    parameterConcession(refusalOf(error), made, body)
  )
}

/** About data that servers want back, or do not. */
function retainedConcession(said: string, made: Concessions, messages: readonly object[]): More | undefined {
  const concede = (name: 'needsThoughts' | 'needsSignatures' | 'bare', isLasting = true): More | undefined =>
    made[name] ? undefined : { concessions: { [name]: true }, isLasting }
  if (/reasoning_content/.test(said) && MISSING.test(said)) return concede('needsThoughts')
  if (/thought_?signature/i.test(said) && MISSING.test(said)) return concede('needsSignatures')
  if (!messages.some(holdsRetained)) return undefined
  if (isInvalidSignature(said)) return concede('bare', false)
  return RETAINED.test(said) ? concede('bare') : undefined
}

/** About parameters: another one that means the same, a lesser one, or none. */
function parameterConcession(refusal: Refusal | undefined, made: Concessions, body: Body): More | undefined {
  if (!refusal) return undefined
  const drop = (names: readonly string[], isLasting: boolean): More => ({
    concessions: { without: names },
    isLasting
  })
  // Where calls were made the model would read of tools that it does not have.
  if (refusesTools(refusal))
    return 'tools' in body && !body.messages.some(isOfCall)
      ? drop(['tools', 'tool_choice', 'parallel_tool_calls'], true)
      : undefined
  if (refusesSystem(refusal) && !made.systemAsUser)
    return { concessions: { systemAsUser: true }, isLasting: true }
  if (/include_usage/.test(refusal.said) && 'stream_options' in body) return drop(['stream_options'], true)
  const names = Object.keys(body).filter((name) => !needed.has(name) && body[name] !== undefined)
  const format = Object(body.response_format).type
  const rejected = rejectedBy(refusal, names) ?? formatRejected(refusal, format)
  if (!rejected) return undefined
  const { name, isLasting } = rejected
  if (limits[name] && isLasting && !made.otherLimit) return { concessions: { otherLimit: true }, isLasting }
  if (name === 'response_format' && format === 'json_schema')
    return { concessions: { plainJson: true }, isLasting }
  return name === 'tools' ? undefined : drop([name], isLasting)
}

const formatRejected = ({ said }: Refusal, format: unknown) =>
  typeof format === 'string' && (said.includes(format) || said.includes('response format'))
    ? { name: 'response_format', isLasting: true }
    : undefined

/** A body without what its server refuses; warns of each part that is left out. */
export function conceded<B extends Body>(
  body: B,
  { without = [], otherLimit, plainJson, systemAsUser }: Concessions,
  warn: (warning: SharedV4Warning) => void
): Body {
  if (without.length === 0 && !otherLimit && !plainJson && !systemAsUser) return body
  const sent: Record<string, unknown> & { messages: readonly object[] } = { ...body }
  if (otherLimit)
    for (const [name, other] of Object.entries(limits))
      if (body[name] !== undefined) {
        sent[other] = body[name]
        delete sent[name]
      }
  if (plainJson && Object(body.response_format).type === 'json_schema')
    sent.response_format = { type: 'json_object' }
  if (systemAsUser) sent.messages = withoutSystem(body.messages)
  for (const name of without) {
    if (sent[name] === undefined) continue
    delete sent[name]
    if (name !== 'stream_options')
      warn({ type: 'unsupported', feature: name, details: 'The model rejected the parameter' })
  }
  return sent
}

interface Message {
  readonly role?: unknown
  readonly content?: unknown
}

/** What system messages say, ahead of what the user says first. */
function withoutSystem(messages: readonly object[]): readonly object[] {
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'
  const said = messages.filter(isSystem).map(({ content }: Message) => content)
  const others = messages.filter((it) => !isSystem(it))
  if (said.length === 0) return messages
  const instructions = said.filter((it) => typeof it === 'string').join('\n\n')
  const first = others[0] as Message | undefined
  if (first?.role !== 'user') return [{ role: 'user', content: instructions }, ...others]
  const content =
    typeof first.content === 'string'
      ? `${instructions}\n\n${first.content}`
      : [{ type: 'text', text: instructions }, ...((first.content as readonly object[] | undefined) ?? [])]
  return [{ ...first, content }, ...others.slice(1)]
}

const isOfCall = (message: object) => 'tool_calls' in message || (message as Message).role === 'tool'

function holdsRetained(message: object): boolean {
  const { tool_calls: calls } = message as { tool_calls?: readonly { function: object }[] }
  const holders = [message, ...(calls ?? []), ...(calls ?? []).map((call) => call.function)]
  return holders.some((holder) => retainedFields.some((name) => name in holder))
}
