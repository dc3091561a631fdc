import type { Level } from './console.ts'
import { createConsole } from './console.ts'
import { AbortController } from './events.ts'
import { createFetch } from './fetch.ts'

interface Deps {
  readonly say: (line: string) => void
  readonly messageSize: number
}

interface Pending {
  resolve(data: unknown): void
  reject(error: unknown): void
}

export type Waiting = ReturnType<typeof createCall>

/** Words of an error that cross. */
const LONGEST_WORDS = 1_000
const LONGEST_NAME = 100

/** A call that the program is at, and the context with which it acts for the caller. */
export function createCall(id: string, about: object, { say, messageSize }: Deps) {
  const pending = new Map<string, Pending>()
  const controller = new AbortController()
  let count = 0
  let isOver = false

  function end(line: string) {
    if (isOver) return
    isOver = true
    if (line.length <= messageSize) say(line)
    else
      say(`f\t${id}\t${failure('message_too_large', `The result is larger than ${messageSize} characters`)}`)
    for (const { reject } of pending.values()) reject(errorOf('call_ended', 'The call has ended'))
    pending.clear()
  }

  /** Asks the host: what it answers, or an error with the code and the message that it gives. */
  function ask(method: string, params: unknown = null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isOver) throw errorOf('call_ended', 'The call that this context belongs to has ended')
      const number = String(++count)
      const line = `h\t${id}\t${number}\t${JSON.stringify(String(method))}\t${JSON.stringify(params) ?? 'null'}`
      if (line.length > messageSize) {
        end(`f\t${id}\t${failure('message_too_large', `A message is larger than ${messageSize} characters`)}`)
        throw errorOf('message_too_large', 'The message is too large')
      }
      say(line)
      pending.set(number, { resolve, reject })
    })
  }

  function log(level: Level, text: string) {
    if (!isOver) say(`l\t${id}\t${level}\t${JSON.stringify(text)}`)
  }

  return {
    context: Object.freeze({
      about: Object.freeze(about),
      call: ask,
      platform: methods(ask, ''),
      storage: methods(ask, 'storage'),
      fetch: createFetch(ask),
      console: createConsole(log),
      signal: controller.signal
    }),
    log,

    succeed: (result: unknown) => end(`r\t${id}\t${JSON.stringify(result) ?? 'null'}`),
    fail: (code: string, message: string) => end(`f\t${id}\t${failure(code, message)}`),

    threw(error: unknown) {
      const { name, message, code } = partsOf(error)
      const detail = { name, ...(code !== undefined && { code }) }
      end(`f\t${id}\t${JSON.stringify({ code: 'app_error', message, detail })}`)
    },

    answer(number: string, ok: boolean, json: string) {
      const waiting = pending.get(number)
      pending.delete(number)
      if (ok) return waiting?.resolve(JSON.parse(json))
      const { code, message } = JSON.parse(json)
      waiting?.reject(errorOf(code, message))
    },

    /** Nobody waits for it any more. */
    leave() {
      isOver = true
      controller.abort()
      for (const { reject } of pending.values()) reject(errorOf('aborted', 'The caller has left'))
      pending.clear()
    }
  }
}

const failure = (code: string, message: string) => JSON.stringify({ code, message })

/** As it was before the program came. */
const { Error: OwnError } = globalThis
const errorOf = (code: string, message: string) => Object.assign(new OwnError(message), { code })

/** Of whatever was thrown, without what its getters may do instead. */
function partsOf(thrown: unknown): { name: string; message: string; code?: string } {
  try {
    if (typeof thrown !== 'object' || thrown === null)
      return { name: typeof thrown, message: String(thrown).slice(0, LONGEST_WORDS) }
    const { name, message, code } = thrown as Record<string, unknown>
    return {
      name: String(name ?? 'Error').slice(0, LONGEST_NAME),
      message: String(message ?? '').slice(0, LONGEST_WORDS),
      ...(typeof code === 'string' && { code: code.slice(0, LONGEST_NAME) })
    }
  } catch {
    return { name: 'Error', message: 'What was thrown cannot be told' }
  }
}

type Methods = ((params?: unknown) => Promise<unknown>) & { readonly [name: string]: Methods }

/** `methods(ask, '').agents.read(params)` asks for `agents.read`. */
function methods(ask: (method: string, params?: unknown) => Promise<unknown>, path: string): Methods {
  const known = new Map<string, Methods>()
  return new Proxy((params?: unknown) => ask(path, params), {
    get(_, name) {
      // An `await` of it looks for `then`.
      if (typeof name !== 'string' || name === 'then') return undefined
      const under = known.get(name) ?? methods(ask, path === '' ? name : `${path}.${name}`)
      known.set(name, under)
      return under
    }
  }) as unknown as Methods
}
