import { AppError } from './errors.ts'
import { callLimits } from './limits/limits.ts'

/** A copy as it crosses a border: JSON within the limits of a message. */
export function jsonOf(value: unknown, what: string, code = 'invalid_request_error'): unknown {
  const text = textOf(value)
  if (text === undefined) throw new AppError(code, `${what} is not JSON`)
  if (text.length > callLimits.messageSize)
    throw new AppError('message_too_large', `${what} has more than ${callLimits.messageSize} characters`)
  const copy = JSON.parse(text)
  if (isDeeper(copy, callLimits.depth))
    throw new AppError(code, `${what} is nested in more than ${callLimits.depth} levels`)
  return copy
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null)
  } catch {
    return undefined
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((part) => levels === 0 || isDeeper(part, levels - 1))
