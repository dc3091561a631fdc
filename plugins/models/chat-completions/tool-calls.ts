import { randomUUID } from 'node:crypto'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { acceptedId } from '../fitting/call-ids.ts'
import { createCallLimits } from '../reply-limits.ts'
import type { Faults } from './faults.ts'
import type { ThoughtField } from './opaque.ts'
import { metadataOf, ofCall } from './opaque.ts'

/** A piece of a call as servers send it; each of its fields may be missing. */
export interface CallDelta {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

interface Call {
  readonly id: string
  name: string
  input: string
  /** How often it was looked at whether its arguments are whole. */
  checks: number
  /** Data of the server: of the call, and of its function. */
  call?: Readonly<Record<string, unknown>>
  function?: Readonly<Record<string, unknown>>
}

/** Looks at the arguments of one call: each costs as much as they are long. */
const CHECKS = 4

/** Whether these could be the first arguments of a call. */
const isBeginning = (given: unknown): boolean =>
  typeof given === 'string' ? given.trimStart().startsWith('{') : typeof given === 'object' && given !== null

/** Whether nothing can follow in the arguments of a call. */
function isWhole(call: Call): boolean {
  if (!call.input.trimEnd().endsWith('}') || call.checks++ >= CHECKS) return false
  try {
    JSON.parse(call.input)
    return true
  } catch {
    return false
  }
}

const filled = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Puts calls together from their pieces. */
export function createToolCalls(
  provider: string,
  faults: Faults,
  push: (part: LanguageModelV4StreamPart) => void,
  append: (type: 'tool-input-delta', id: string, delta: string) => void
) {
  const calls: Call[] = []
  /** The latest of that index, and of that id. */
  const byIndex = new Map<number, Call>()
  const byId = new Map<string, Call>()
  const limits = createCallLimits()

  /**
   * By index, else by id, else the last one; a name under an index that is taken by another id, or by a call that is
   * whole, is a new call: some servers number all their calls 0, or not at all.
   */
  function find({ index, id, function: { name, arguments: given } = {} }: CallDelta): Call {
    const at = typeof index === 'number' ? index : undefined
    const known = at !== undefined ? byIndex.get(at) : filled(id) ? byId.get(id) : calls.at(-1)
    const another =
      known !== undefined &&
      filled(name) &&
      ((filled(id) && known.id !== id) || (isBeginning(given) && isWhole(known)))
    if (known && !another && (at !== undefined || filled(id) || !filled(name))) return known
    limits.call()
    if (filled(id)) limits.id(id)
    const call = { id: filled(id) ? id : acceptedId(randomUUID()), name: '', input: '', checks: 0 }
    calls.push(call)
    if (at !== undefined) byIndex.set(at, call)
    byId.set(call.id, call)
    return call
  }

  function add(delta: CallDelta): void {
    const call = find(delta)
    const { name, arguments: given } = delta.function ?? {}
    const ofFunction = delta.function && ofCall(delta.function)
    if (ofFunction) call.function = { ...call.function, ...ofFunction }
    const own = ofCall(delta)
    if (own) call.call = { ...call.call, ...own }
    const input = typeof given === 'string' ? given : given ? JSON.stringify(given) : ''
    limits.input(input)
    if (call.name !== '') {
      // Some servers send a name in pieces, others send it again with each piece of the arguments.
      if (filled(name) && name !== call.name && call.input === '') {
        limits.name(call.name + name)
        call.name += name
      }
      if (input === '') return
      call.input += input
      append('tool-input-delta', call.id, input)
    } else {
      call.input += input
      if (!filled(name)) return
      limits.name(name)
      call.name = name
      push({ type: 'tool-input-start', id: call.id, toolName: name })
      if (call.input !== '') append('tool-input-delta', call.id, call.input)
    }
  }

  /** Their ends, in the order in which they began; `thoughts` is the field in which thoughts before them came. */
  function end(thoughts: ThoughtField | undefined): void {
    for (const [index, { id, name, input, call, function: ofFunction }] of calls.entries()) {
      if (name === '') throw faults.garbled('a tool call without a name', input)
      push({ type: 'tool-input-end', id })
      const retained = {
        ...(call && { call }),
        ...(ofFunction && { function: ofFunction }),
        ...(thoughts !== undefined && index === 0 && { thoughts })
      }
      push({
        type: 'tool-call',
        toolCallId: id,
        toolName: name,
        // Tools without parameters are called with nothing by some, which is no JSON.
        input: input.trim() === '' ? '{}' : input,
        ...(Object.keys(retained).length > 0 && { providerMetadata: metadataOf(provider, retained) })
      })
    }
  }

  return {
    add,
    end,
    get any() {
      return calls.length > 0
    }
  }
}
