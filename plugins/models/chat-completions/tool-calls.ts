import { randomUUID } from 'node:crypto'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
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
  /** Data of the server: of the call, and of its function. */
  call?: Readonly<Record<string, unknown>>
  function?: Readonly<Record<string, unknown>>
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
  /** The latest of that index, and the first of that id. */
  const byIndex = new Map<number, Call>()
  const byId = new Map<string, Call>()
  const limits = createCallLimits()

  /**
   * By index, else by id, else the last one; a name under an index that is taken by another id is a new call: some
   * servers number all their calls 0, or not at all.
   */
  function find({ index, id, function: { name } = {} }: CallDelta): Call {
    const at = typeof index === 'number' ? index : undefined
    const known = at !== undefined ? byIndex.get(at) : filled(id) ? byId.get(id) : calls.at(-1)
    const another = known !== undefined && filled(name) && filled(id) && known.id !== id
    if (known && !another && (at !== undefined || filled(id) || !filled(name))) return known
    limits.call()
    if (filled(id)) limits.id(id)
    const call = { id: filled(id) ? id : `call_${randomUUID()}`, name: '', input: '' }
    calls.push(call)
    if (at !== undefined) byIndex.set(at, call)
    if (!byId.has(call.id)) byId.set(call.id, call)
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
