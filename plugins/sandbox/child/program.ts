import type { Isolate, Reference } from 'isolated-vm'
import ivm from 'isolated-vm'
import type { ProgramLimits } from '../wire.ts'
import { createOutbox, fieldsOf, LOG_LINE, lineOf } from '../wire.ts'
import { createCrypto } from './crypto.ts'
import { openGuest } from './guest.ts'
import { createMeter } from './meter.ts'
import { createProbe } from './probe.ts'
import { createQuestions } from './questions.ts'
import { createWake } from './wake.ts'

/** What a program's process hears of it. */
export interface Hearing {
  /** A line for the platform. */
  say(line: string): void
  /** Nothing is left to be done with it but to end the process. */
  fatal(reason: string): void
  gone(): void
}

interface Call {
  /** The meter's share, when it began. */
  readonly mark: number
  readonly questions: ReturnType<typeof createQuestions>
  logged: number
}

/** Messages of its own that it may have under way to this thread. */
const CREDIT = 64
/** Milliseconds of the processor that it may take where nobody called it. */
const AFTERMATH_MS = 50
/** A line may be a message with what is around it. */
const AROUND = 1_024

/** A program in an isolate of its own. */
export type Program = ReturnType<typeof openProgram>

export function openProgram(
  number: string,
  {
    text,
    limits,
    snapshot
  }: { text: string; limits: ProgramLimits; snapshot: ivm.ExternalCopy<ArrayBuffer> },
  { say, fatal, gone }: Hearing
) {
  const calls = new Map<string, Call>()
  const isolate: Isolate = new ivm.Isolate({
    memoryLimit: limits.memoryMb,
    snapshot,
    onCatastrophicError: () => fatal('memory_exceeded')
  })
  const meter = createMeter(isolate)
  let deliver: Reference | undefined
  let isGone = false
  /** Lines that came before it was open. */
  let early: string[] | undefined = []
  /** Messages of its own that it may send again. */
  let heard = 0

  const put = createOutbox((lines) => {
    if (isGone) return
    deliver?.applyIgnored(undefined, [lines, heard])
    heard = 0
  }, queueMicrotask)
  /** It was told something since it was last asked whether it listens: where nobody is in it, it has to come to rest. */
  let isRestless = false
  const tell = (line: string) => {
    isRestless = true
    if (early) early.push(line)
    else put(line)
  }
  const wake = createWake(() => tell('t'))
  const probe = createProbe(meter, tell)
  const crypto = createCrypto(tell)

  function close(): void {
    if (isGone) return
    isGone = true
    wake.stop()
    if (!isolate.isDisposed) isolate.dispose()
    gone()
  }

  /** All calls that are in it, since which of them it was cannot be told. */
  function fail(code: string, message: string): void {
    meter.read(calls.size)
    for (const [id, call] of calls)
      say(lineOf('F', id, cpuOf(call).toFixed(3), JSON.stringify({ code, message })))
    calls.clear()
    close()
  }

  const cpuOf = ({ mark }: Call) => meter.share() - mark

  function end(id: string, call: Call, kind: string, rest: string): void {
    meter.read(calls.size)
    calls.delete(id)
    say(lineOf(kind, id, cpuOf(call).toFixed(3), rest))
    // Nobody waits any more: its timers stand still.
    if (calls.size === 0) wake.pause()
  }

  function refuse(id: string, call: Call, code: string, message: string): void {
    tell(lineOf('x', id))
    end(id, call, 'F', JSON.stringify({ code, message }))
  }

  function hear(said: unknown): void {
    if (isGone || typeof said !== 'string') return
    if (++heard >= CREDIT / 2) put('')
    for (const line of said.split('\n')) hearLine(line)
  }

  function hearLine(line: string): void {
    const [kind, id = '', rest = ''] = fieldsOf(line, 3)
    if (kind === '?') probe.hear(id)
    else if (kind === 't') wake.at(Number(id))
    else if (kind === 'k') crypto.ask(id, rest)
    else hearOfCall(line, kind ?? '', id, rest)
  }

  function hearOfCall(line: string, kind: string, id: string, rest: string): void {
    const call = calls.get(id)
    if (!call) return
    if (line.length > limits.messageSize + AROUND)
      refuse(id, call, 'message_too_large', `A message is larger than ${limits.messageSize} characters`)
    else if (kind === 'r' || kind === 'f') end(id, call, kind, rest)
    else if (kind === 'l') log(id, call, line)
    else if (kind === 'h' && !call.questions.ask(() => calls.get(id) === call && say(line)))
      refuse(id, call, 'too_many_pending', `More than ${limits.pending} calls of the platform wait`)
  }

  function log(id: string, call: Call, line: string): void {
    const { logLines } = limits
    if (++call.logged <= logLines) say(line.slice(0, 6 * LOG_LINE))
    else if (call.logged === logLines + 1)
      say(lineOf('l', id, 'warn', `"More than ${logLines} lines: the others are dropped"`))
  }

  async function open(): Promise<void> {
    const guest = await openGuest(isolate, text, { hear, credit: CREDIT, messageSize: limits.messageSize })
    deliver = guest.deliver
    say(lineOf('o', number, guest.functions))
    const lines = early ?? []
    early = undefined
    for (const line of lines) put(line)
  }

  open().catch((error) => {
    if (isGone) return
    if (isolate.isDisposed) fail('memory_exceeded', `The program took more than ${limits.memoryMb} MB`)
    else fail('invalid_program', `The program cannot be loaded: ${String(error?.message).slice(0, 500)}`)
  })

  return {
    begin(id: string, line: string): void {
      meter.read(calls.size)
      calls.set(id, { mark: meter.share(), questions: createQuestions(limits.pending), logged: 0 })
      wake.go()
      tell(line)
    },

    answer(id: string, line: string): void {
      const call = calls.get(id)
      if (!call) return
      call.questions.answered()
      tell(line)
    },

    /** The caller has left. `isLate`: it may be that it never ends, so that it is loaded anew for the next one. */
    leave(id: string, isLate: boolean): void {
      if (!calls.delete(id)) return
      tell(lineOf('x', id))
      if (calls.size > 0) return
      wake.pause()
      probe.ask()
      if (isLate) close()
    },

    isBusy: () => calls.size > 0 || isRestless || crypto.isRunning() || probe.isOut() || early !== undefined,
    /** Milliseconds of the processor that a call took, when it was last looked after. */
    took: (id: string) => meter.share() - (calls.get(id)?.mark ?? meter.share()),
    isIdle: () => calls.size === 0,
    close,

    /** Looks after it; the milliseconds of the processor that it took since it was last looked at. */
    watch(): number {
      if (!isGone && isolate.isDisposed)
        fail('memory_exceeded', `The program took more than ${limits.memoryMb} MB`)
      if (isGone) return 0
      const took = meter.read(calls.size)
      const isOver = calls.values().some((call) => cpuOf(call) > limits.cpuMs)
      if (isOver || probe.isOut(calls.size > 0 || early ? limits.cpuMs : AFTERMATH_MS))
        fail('cpu_exceeded', `The program took more than ${limits.cpuMs} ms of the processor`)
      else if (!early && !probe.isOut() && (took > 1 || calls.size === 0)) {
        probe.ask()
        isRestless = false
      }
      return took
    }
  }
}
