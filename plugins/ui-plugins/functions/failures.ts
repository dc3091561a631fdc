import { exhausted, tooLarge, unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { SandboxCode, SandboxError, SandboxHealth } from '../../sandbox/contract.ts'

type Make = typeof upstreamFailed

/** Whose fault it is: the app stands to the platform as a service does that it calls. */
const makers: Readonly<Record<SandboxCode, Make>> = {
  app_error: upstreamFailed,
  cpu_exceeded: upstreamTimeout,
  time_exceeded: upstreamTimeout,
  memory_exceeded: upstreamFailed,
  too_many_pending: upstreamFailed,
  message_too_large: tooLarge,
  sandbox_lost: upstreamFailed,
  quarantined: unavailable,
  not_a_function: upstreamFailed,
  invalid_program: upstreamFailed,
  overloaded: exhausted,
  aborted: unavailable
}

/** What is no fault of the program. */
const ELSEWHERE: ReadonlySet<SandboxCode> = new Set(['sandbox_lost', 'overloaded', 'aborted'])

/**
 * What the caller of a function is told of what went wrong with it. `app_error` says what the app says; what the platform refused to
 * it, and it let through, has the platform's code.
 */
export function failureOf(
  fn: string,
  { code, message, detail }: SandboxError,
  { until }: SandboxHealth
): Error {
  const seconds = until && Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  const headers =
    code === 'quarantined' && seconds !== undefined
      ? { 'retry-after': String(seconds) }
      : code === 'overloaded'
        ? { 'retry-after': '1' }
        : undefined
  const said = code === 'app_error' ? message : `${fn}: ${message}`
  const told = detail?.isOfHost && detail.code !== undefined ? detail.code : code
  const cause = ELSEWHERE.has(code) ? undefined : null
  return makers[code](said, { code: told, cause, ...(headers && { headers }) })
}
