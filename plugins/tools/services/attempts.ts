import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import type { Call, CallOrder, InjectedKey, Invocation, Output } from '../contract.ts'
import type { Redactor } from '../redaction/redactor.ts'
import type { ToolSettings } from '../settings.ts'
import { startLimit } from './limit.ts'
import type { Callable } from './tool-resolver.ts'

export type Attempts = ReturnType<typeof createAttempts>

/** What came of a call. Of one that is unknown it was not seen whether it had an effect. */
export interface Attempted extends Output {
  readonly isUnknown?: boolean
}

/** Further tries of an idempotent tool whose service failed. */
const RETRIES = 2
const PAUSE_MS = 200

interface Deps extends Pick<Kernel, 'log'> {
  settings: ToolSettings
}

/** Makes calls: within their time, again where that is safe, and with secrets taken out of all that they say. */
export function createAttempts({ log, settings }: Deps) {
  /** Never rejects: whatever goes wrong becomes an output, without what was not meant for the caller. */
  async function attempt(
    callable: Callable,
    order: CallOrder & Pick<Call, 'used'>,
    keys: readonly InjectedKey[],
    { add, redact, redactInTurns, stream }: Redactor,
    invocation: Invocation
  ): Promise<Attempted> {
    const { signal, progress = () => undefined, ask = declined, resumed } = invocation
    const { name, idempotent, timeoutSeconds: seconds = settings.toolSeconds } = callable
    using limit = startLimit(seconds * 1_000)
    const over = AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal])
    const progressing = stream(progress)
    const call: Call = {
      ...order,
      signal: over,
      secret: add,
      redact: redactInTurns,
      progress: progressing.say,
      ask: (question, resume) => limit.pause(() => ask(redact(question), resume)),
      ...(resumed && { resumed })
    }
    for (let tries = 0; ; )
      try {
        over.throwIfAborted()
        const made = await Promise.race([callable.call(call, keys), rejection(over)])
        progressing.end()
        // What promised an output may give none.
        return made ?? { output: null }
      } catch (error) {
        if (limit.signal.aborted) return unknown(`${name} took more than ${seconds} s`)
        if (signal?.aborted) return unknown(`The call of ${name} was given up`)
        // Anything can be thrown.
        const { kind, code, message } = Object(error) as { kind?: string; code?: unknown; message: string }
        const isUpstream = kind === 'upstream' || kind === 'upstreamTimeout'
        const wait = isUpstream && tries < RETRIES ? PAUSE_MS * 2 ** tries++ : waitOf(error)
        if (idempotent && wait !== undefined && wait < limit.left()) {
          await delay(wait, undefined, { signal: over }).catch(() => undefined)
          continue
        }
        // A service that says no gives a code; of one that says nothing it is not known what it did.
        const isSilent = kind === 'upstreamTimeout' || (kind === 'upstream' && code === undefined)
        if (isSilent && !idempotent) return unknown(message)
        if (kind !== undefined) return failed(message)
        // Its message may hold what its service said, or was sent.
        const { name: type, stack } = Object(error) as { name?: string; stack?: string }
        const at = stack?.split('\n').filter((text) => /^\s+at /.test(text))
        log.warn({ call: order.id, tool: name, error: redact({ name: type, code, at }) }, 'a tool failed')
        return failed(`${name} failed`)
      }
  }

  return { attempt }
}

/** Milliseconds until what has no room now may have some, where a failure says so: a little more, that not all come at once. */
function waitOf(error: unknown): number | undefined {
  const { kind, headers } = Object(error) as { kind?: string; headers?: Readonly<Record<string, string>> }
  const seconds = headers?.['retry-after']
  if ((kind !== 'rateLimited' && kind !== 'unavailable') || seconds === undefined) return undefined
  return Number(seconds) * 1_000 * (1 + Math.random() / 4)
}

const declined = async () => ({ action: 'decline' as const })
const failed = (output: string): Attempted => ({ output, isError: true })
const unknown = (reason: string): Attempted => ({
  output: `${reason}: the outcome of the call is unknown`,
  isError: true,
  isUnknown: true
})

function rejection(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  if (signal.aborted) reject(signal.reason)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}
