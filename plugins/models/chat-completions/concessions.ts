import { APICallError } from '@ai-sdk/provider'
import type { MessageDialect } from './messages.ts'
import { retainedFields } from './opaque.ts'

/** What requests to a server leave out or add, since it refuses them otherwise. */
export interface Concessions extends Pick<MessageDialect, 'bare' | 'needsThoughts' | 'needsSignatures'> {
  /** Without `stream_options`. */
  readonly withoutUsage?: boolean
}

interface More {
  readonly concessions: Concessions
  /** Later requests would be refused for the same. */
  readonly isLasting: boolean
}

const MISSING = /must be passed back|missing|required/i
const isInvalidSignature = (message: string) =>
  /signature/i.test(message) && /invalid|not valid|corrupt/i.test(message)
const RETAINED = new RegExp(`\\b(${retainedFields.join('|')})\\b`)

/** What a refused request can do without, by the messages that it had; undefined where there is nothing left to try. */
export function concessionTo(
  error: unknown,
  made: Concessions,
  messages: readonly object[]
): More | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422))
    return undefined
  const said = error.responseBody ?? ''
  const concede = (name: keyof Concessions, isLasting = true): More | undefined =>
    made[name] ? undefined : { concessions: { [name]: true }, isLasting }
  if (/stream_options|include_usage/.test(said)) return concede('withoutUsage')
  if (/reasoning_content/.test(said) && MISSING.test(said)) return concede('needsThoughts')
  if (/thought_?signature/i.test(said) && MISSING.test(said)) return concede('needsSignatures')
  if (!messages.some(holdsRetained)) return undefined
  if (isInvalidSignature(said)) return concede('bare', false)
  return RETAINED.test(said) ? concede('bare') : undefined
}

function holdsRetained(message: object): boolean {
  const { tool_calls: calls } = message as { tool_calls?: readonly { function: object }[] }
  const holders = [message, ...(calls ?? []), ...(calls ?? []).map((call) => call.function)]
  return holders.some((holder) => retainedFields.some((name) => name in holder))
}
