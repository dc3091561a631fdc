import type {
  SandboxAnswer,
  SandboxCall,
  SandboxCode,
  SandboxError,
  SandboxLimits,
  SandboxReply
} from '../contract.ts'
import { fieldsOf, lineOf } from '../wire.ts'
import { parseValue } from './values.ts'

/** What a program itself may say of how a call failed. */
const ITS_CODES: readonly string[] = ['app_error', 'not_a_function', 'message_too_large']

/** Words and codes of an error that cross, as the library of programs cuts them too. */
const LONGEST_WORDS = 1_000
const LONGEST_CODE = 100

/** Made once: with its stack it costs more than a call. */
const ENDED = new DOMException('The call has ended', 'AbortError')

export type RunningCall = ReturnType<typeof createRunningCall>

/** A call from the time when it was asked for until it is answered. */
export function createRunningCall(
  call: SandboxCall,
  input: string,
  limits: SandboxLimits,
  {
    wallMs,
    settle,
    took
  }: {
    /** Of the settings: with the start of what is not warm, which a call is not blamed for. */
    readonly wallMs: number
    settle(answer: SandboxAnswer): void
    /** So many milliseconds more of the processor. */
    took(cpuMs: number): void
  }
) {
  const begun = performance.now()
  let deadline = begun + wallMs
  const usage = { cpuMs: 0, hostCalls: 0, sizeIn: input.length, sizeOut: 0 }
  let controller: AbortController | undefined
  /** Calls of the host that are under way. */
  let asked = 0
  /** The last errors that the host answered with. */
  const refusals = new Set<string>()
  let isOver = false

  function end(answer: { readonly data: unknown } | { readonly error: SandboxError }): void {
    if (isOver) return
    isOver = true
    if (asked > 0) controller?.abort(ENDED)
    call.signal?.removeEventListener('abort', abort)
    settle({ ...answer, usage: { ...usage, wallMs: performance.now() - begun } })
  }
  const fail = (code: SandboxCode, message: string) => end({ error: { code, message } })
  /** Set by where it runs. */
  let leave: ((isLate: boolean) => void) | undefined

  function abort(): void {
    leave?.(false)
    fail('aborted', 'The caller has left')
  }
  call.signal?.addEventListener('abort', abort, { once: true })

  function spent(cpuMs: number): void {
    if (!(cpuMs > usage.cpuMs)) return
    took(cpuMs - usage.cpuMs)
    usage.cpuMs = cpuMs
  }

  function noteRefusal({ code, message }: { readonly code: string; readonly message: string }): void {
    refusals.add(wordsOf(code, message))
    if (refusals.size > limits.pending) refusals.delete(refusals.values().next().value as string)
  }

  async function replyTo(method: string, params: string): Promise<SandboxReply> {
    asked++
    try {
      controller ??= new AbortController()
      return await call.host(String(JSON.parse(method)), parseValue(params), controller.signal)
    } catch {
      return { error: { code: 'host_failed', message: 'The platform could not answer' } }
    } finally {
      asked--
    }
  }

  return {
    call,
    limits,
    fail,
    isOver: () => isOver,
    isLate: (now: number) => now > deadline,

    /** The line by which it begins in a process. */
    line: (id: string, program: string) =>
      lineOf('c', id, program, JSON.stringify(call.fn), JSON.stringify(call.about ?? {}), input),

    /** It is in a process now, which is told when nobody waits any more. */
    entered(tell: (isLate: boolean) => void): void {
      leave = tell
    },

    /** Its program is there from now on. */
    opened(): void {
      deadline = Math.min(deadline, performance.now() + limits.wallMs)
    },

    /** Nobody waits for what takes so long. */
    expire(): void {
      leave?.(true)
      const most = deadline < begun + wallMs ? limits.wallMs : wallMs
      fail('time_exceeded', `The call took more than ${most} ms`)
    },

    /** Milliseconds of the processor, as far as it is known: also of a call that does not end well. */
    spent,

    succeed(cpuMs: number, json: string): void {
      spent(cpuMs)
      usage.sizeOut += json.length
      try {
        if (json.length <= limits.messageSize) end({ data: parseValue(json) })
        else fail('message_too_large', `The result is larger than ${limits.messageSize} characters`)
      } catch {
        fail('app_error', 'The result is not JSON of at most 64 levels')
      }
    },

    /** `isIts`: by its own words, else by those of the process. */
    failed(cpuMs: number, json: string, isIts: boolean): void {
      spent(cpuMs)
      end({ error: isIts ? errorOf(json, refusals) : (JSON.parse(json) as SandboxError) })
    },

    log(line: string): void {
      const [, , level = '', json = ''] = fieldsOf(line, 4)
      if (isOver || !/^(?:debug|info|warn|error)$/.test(level)) return
      try {
        call.log?.(level as 'info', String(JSON.parse(json)))
      } catch {
        // A line that was cut, or that the log does not take, is lost.
      }
    },

    /** The line that answers what the program asks of the platform. */
    async ask(line: string): Promise<string> {
      const [, id = '', number = '', method = '', params = ''] = fieldsOf(line, 5)
      usage.hostCalls++
      usage.sizeOut += params.length
      const reply = await replyTo(method, params)
      const isWell = 'data' in reply
      if (!isWell) noteRefusal(reply.error)
      const text = JSON.stringify(isWell ? (reply.data ?? null) : reply.error)
      usage.sizeIn += text.length
      if (text.length <= limits.messageSize) return lineOf('a', id, number, isWell ? 1 : 0, text)
      const message = `The answer is larger than ${limits.messageSize} characters`
      return lineOf('a', id, number, 0, JSON.stringify({ code: 'message_too_large', message }))
    }
  }
}

const wordsOf = (code: string, message: string) =>
  JSON.stringify([code.slice(0, LONGEST_CODE), message.slice(0, LONGEST_WORDS)])

/** What a program says of itself, as far as it can be that: a refusal of the host is one that the host answered with. */
function errorOf(json: string, refusals: ReadonlySet<string>): SandboxError {
  try {
    const { code, message, detail } = parseValue(json) as Record<string, unknown>
    const { name, code: its } = (detail ?? {}) as Record<string, unknown>
    const known = ITS_CODES.includes(String(code)) ? (code as SandboxCode) : 'app_error'
    const words = String(message).slice(0, LONGEST_WORDS)
    const told = {
      name: String(name).slice(0, LONGEST_CODE),
      ...(typeof its === 'string' && { code: its.slice(0, LONGEST_CODE) }),
      isOfHost: typeof its === 'string' && refusals.has(wordsOf(its, words))
    }
    return { code: known, message: words, ...(known === 'app_error' && { detail: told }) }
  } catch {
    return { code: 'app_error', message: 'The function failed' }
  }
}
