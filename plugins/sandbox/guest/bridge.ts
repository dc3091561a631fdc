import { fieldsOf } from '../wire.ts'
import type { Waiting } from './call.ts'
import { createCall } from './call.ts'
import { createConsole } from './console.ts'
import type { createCrypto } from './crypto.ts'
import type { createTimers } from './timers.ts'

interface Deps {
  readonly post: (text: string) => void
  readonly timers: ReturnType<typeof createTimers>
  readonly crypto: ReturnType<typeof createCrypto>
  readonly credit: number
  readonly messageSize: number
}

type Fn = (input: unknown, context: unknown) => unknown
/** What is not sent yet may be so many messages of the largest size. */
const MOST_UNSENT = 4

/** The way of a program to its process and back: lines as `wire.ts` says, in texts, one way each. */
export function createBridge({ post, timers, crypto, credit: most, messageSize }: Deps) {
  const calls = new Map<string, Waiting>()
  let functions: Readonly<Record<string, unknown>> = {}
  let lines: string[] = []
  let unsent = 0
  let credit = most
  let isFlushing = false
  /** The call whose turn it is, as far as that can be known: for the console alone. */
  let current = ''

  // Nothing that a program may have changed is used here, so that it sends no more than the other side takes.
  function flush() {
    isFlushing = false
    if (lines.length === 0 || credit <= 0) return
    credit--
    const text = lines.join('\n')
    lines = []
    unsent = 0
    if (typeof text === 'string' && text.length <= 2 * MOST_UNSENT * messageSize) post(text)
  }

  /** Sent when what can be done now is done, in one text with all else that was said by then. */
  function say(line: string) {
    unsent += line.length
    if (unsent > MOST_UNSENT * messageSize) throw new RangeError('Too much is sent at a time')
    lines[lines.length] = line
    if (isFlushing) return
    isFlushing = true
    afterThree(flush)
  }

  async function begin(line: string) {
    const [, id = '', name = '', about = '', input = ''] = fieldsOf(line, 5)
    const call = createCall(id, JSON.parse(about), { say, messageSize })
    calls.set(id, call)
    current = id
    try {
      const fn = Object.hasOwn(functions, JSON.parse(name)) ? functions[JSON.parse(name)] : undefined
      if (typeof fn !== 'function') call.fail('not_a_function', `There is no function ${name}`)
      else call.succeed(await (fn as Fn)(JSON.parse(input), call.context))
    } catch (error) {
      call.threw(error)
    } finally {
      calls.delete(id)
    }
  }

  function hear(line: string) {
    const kind = line[0]
    if (kind === 'c') return void begin(line)
    if (kind === '?') return say(line)
    if (kind === 't') return timers.ring()
    const [, id = '', number = '', ok = '', json = ''] = fieldsOf(line, 5)
    if (kind === 'k') return crypto.answer(id, number === '1', fieldsOf(line, 4)[3] ?? '')
    const call = calls.get(id)
    if (!call) return
    current = id
    if (kind === 'a') call.answer(number, ok === '1', json)
    else if (kind === 'x') call.leave()
  }

  timers.connect(say)
  crypto.connect(say)
  return {
    deliver(text: string, heard: number) {
      credit += heard
      if (text !== '') for (const line of text.split('\n')) hear(line)
      if (lines.length > 0) flush()
    },

    /** Takes what the program's module exports; the names of its functions as JSON. */
    open(exported: { functions?: object; default?: { functions?: object } }): string {
      const found = exported.functions ?? exported.default?.functions
      if (typeof found !== 'object' || found === null) throw new TypeError('It exports no functions')
      functions = found as Record<string, unknown>
      const names = Object.keys(functions).filter((name) => typeof functions[name] === 'function')
      return JSON.stringify(names)
    },

    console: createConsole((level, text) => {
      const call = calls.get(current) ?? calls.values().next().value
      call?.log(level, text)
    })
  }
}

const resolved = Promise.resolve()
/** Later than what follows at once from what was settled: functions that were waiting for it have ended by then. */
const afterThree = (work: () => void) => void resolved.then(() => resolved.then(() => resolved.then(work)))
