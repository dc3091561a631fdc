import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { depthOf } from 'agent-platform'
import type { Allowance } from './allowance.ts'
import { flooded } from './allowance.ts'
import type { Target } from './target.ts'

/** Requests of a server that are being answered at once. */
const MOST_ANSWERING = 64
/** Values that the SDK looks at one by one; a wrong one of many alternatives costs it 0.1 ms. */
const MOST_PARTS = 2_000
/** Of a page, one more than is kept. */
const lists: Readonly<Record<string, number>> = {
  tools: 513,
  prompts: 513,
  resources: 1_001,
  resourceTemplates: 1_001
}
const MOST_DEPTH = 64
/** Of a message that is looked through at once: parts and characters. */
const LIGHT = { parts: 500, characters: 16_384 }
const refusal = (message: string) => ({ code: -32_600, message })
const TOO_MANY = refusal(`its message has more than ${MOST_PARTS} parts`)
const TOO_DEEP = refusal('its message is too deep')

interface Options {
  /** What counts for the message that is being received. */
  allowance(): Allowance
  readonly target: Pick<Target, 'redact' | 'redactInTurns'>
  /** What was received is handed on when that has ended. */
  receiving(work: Promise<void>): void
  failed(error: unknown): void
}

/**
 * Stands between a transport and its client, where everything passes that a server says: counts what it asks, takes out
 * the secrets that it was shown, and hands on what can be looked at in time.
 */
export function guardIncoming(transport: Transport, { target, allowance, receiving, failed }: Options): void {
  const answering = new Set<string | number>()
  const limited = new WeakSet<object>()
  let current: Transport['onmessage']
  /** What is long, and all that comes behind it. */
  let queue: Promise<void> | undefined

  const limit = (deliver: NonNullable<Transport['onmessage']>): Transport['onmessage'] => {
    if (limited.has(deliver)) return deliver
    const receive: typeof deliver = (message, extra) => {
      const admitted = admit(message)
      if (!admitted) return
      const hand = (redacted: JSONRPCMessage) => deliver(withState(redacted, admitted), extra)
      if (!queue && isWithin(admitted, LIGHT)) return hand(target.redact(admitted))
      const handed = (queue ?? Promise.resolve())
        .then(() => target.redactInTurns(admitted))
        .then(hand)
        .catch(failed)
        .finally(() => {
          if (queue === handed) queue = undefined
        })
      queue = handed
      receiving(handed)
    }
    limited.add(receive)
    return receive
  }

  /** What is handed on for it, if anything is. */
  function admit(message: JSONRPCMessage): JSONRPCMessage | undefined {
    const isDeep = depthOf(message, MOST_DEPTH) > MOST_DEPTH
    if ('result' in message) {
      const error = isDeep ? TOO_DEEP : isReadable(message.result) ? undefined : TOO_MANY
      return error ? { jsonrpc: '2.0', id: message.id, error } : message
    }
    if (isDeep) return undefined
    if (!('method' in message)) return message
    if (!('id' in message)) return isSmall(message.params) ? message : undefined
    try {
      allowance().requests(1)
      if (answering.size >= MOST_ANSWERING) throw flooded()
    } catch (error) {
      failed(error)
      return undefined
    }
    answering.add(message.id)
    if (isSmall(message.params)) return message
    transport.send({ jsonrpc: '2.0', id: message.id, error: TOO_MANY }).catch(failed)
    return undefined
  }

  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    try {
      await send(message, options)
    } finally {
      if (!Array.isArray(message) && !('method' in message) && message.id !== undefined)
        answering.delete(message.id)
    }
  }
  Object.defineProperty(transport, 'onmessage', {
    get: () => current,
    set(deliver: Transport['onmessage']) {
      current = deliver && limit(deliver)
    }
  })
}

/** What only the server reads again is as it was. */
function withState<T extends JSONRPCMessage>(redacted: JSONRPCMessage, message: JSONRPCMessage): T {
  if ('result' in message && 'result' in redacted && message.result.requestState !== undefined)
    redacted.result.requestState = message.result.requestState
  return redacted as T
}

/** Lists are cut to what is kept of them, without their pictures; what else the SDK looks at must be small. */
function isReadable(result: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(result).every(([name, value]) => {
    const most = Object.hasOwn(lists, name) ? lists[name] : undefined
    if (most === undefined || !Array.isArray(value)) return name === 'structuredContent' || isSmall(value)
    if (value.length > most) value.length = most
    for (const item of value) if (typeof item === 'object' && item !== null) delete item.icons
    return true
  })
}

const isSmall = (value: unknown): boolean =>
  isWithin(value, { parts: MOST_PARTS, characters: Number.POSITIVE_INFINITY })

function isWithin(value: unknown, most: typeof LIGHT): boolean {
  const rest = [value]
  for (let parts = 0, characters = 0; rest.length > 0; parts++) {
    const it = rest.pop()
    if (typeof it === 'string') characters += it.length
    if (parts + rest.length > most.parts || characters > most.characters) return false
    if (typeof it === 'object' && it !== null)
      for (const [name, part] of Object.entries(it)) {
        characters += name.length
        rest.push(part)
      }
  }
  return true
}
