import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider'
import { createParser } from 'eventsource-parser'
import { replyLimits, tooLargeEvent, tooLargeReply, tooManyBlocks } from '../reply-limits.ts'
import type { Chunk } from './chunk.ts'
import { metadata, textOf } from './chunk.ts'
import { createDeltaFastPath } from './delta-fast-path.ts'
import type { Faults, Headers } from './faults.ts'
import type { RawUsage } from './finish-reason.ts'
import { finishReason, saysUsage, usageOf } from './finish-reason.ts'
import type { ThoughtField } from './opaque.ts'
import { createRetainer, holdsRetained, metadataOf } from './opaque.ts'
import type { CallDelta } from './tool-calls.ts'
import { createToolCalls } from './tool-calls.ts'

/** What a part costs beside its text, in characters, while it waits to be taken. */
const PART = 64
/** Characters from the beginning of something that turns out not to be a reply. */
const HEAD = 16_384

export type Part = LanguageModelV4StreamPart
type DeltaPart = Extract<Part, { delta: string }>

export type Reply = ReturnType<typeof createReply>

/**
 * Reads the text of a reply, cut anywhere, into parts; deltas that were not taken yet become one. Data that the server
 * wants back is the metadata of parts, under the name of the provider.
 */
export function createReply(provider: string, faults: Faults, headers: Headers, warnings: SharedV4Warning[]) {
  let parts: Part[] = [{ type: 'stream-start', warnings }]
  let size = 0
  let head = ''
  let length = 0
  let sinceEvent = 0
  let events = 0
  let block: 'text' | 'reasoning' | undefined
  let blocks = 0
  let blockId = ''
  let finish: string | undefined
  let usage: RawUsage | undefined
  let described = false
  let ending = false
  let done = false
  /** The last of the parts, while more can be added to it. */
  let last: DeltaPart | undefined
  const fastPath = createDeltaFastPath()

  function push(part: Part): void {
    last = undefined
    size += PART
    parts.push(part)
  }

  function append(type: DeltaPart['type'], id: string, delta: string): void {
    size += delta.length
    if (last !== undefined && last.type === type && last.id === id) last.delta += delta
    else {
      size += PART
      parts.push((last = { type, id, delta }))
    }
  }

  const calls = createToolCalls(provider, faults, push, append)
  const retainer = createRetainer()
  let thoughts: ThoughtField | undefined

  function endBlock(): void {
    if (block) push({ type: `${block}-end`, id: blockId })
    block = undefined
  }

  function say(kind: 'text' | 'reasoning', delta: string): void {
    if (block !== kind) {
      endBlock()
      if (blocks === replyLimits.blocks) throw tooManyBlocks()
      block = kind
      blockId = `${kind}-${blocks++}`
      push({ type: `${kind}-start`, id: blockId })
    }
    append(kind === 'text' ? 'text-delta' : 'reasoning-delta', blockId, delta)
  }

  function read(data: string, chunk: Chunk | null): void {
    if (typeof chunk !== 'object' || chunk === null) throw new TypeError('No object')
    const error = chunk.error || (chunk.object === 'error' && chunk)
    if (error) throw faults.told(error, data)
    if (!described && chunk.id) {
      described = true
      push(metadata(chunk))
    }
    const choice = chunk.choices?.[0]
    // Moonshot tells it with the choice, Groq beside it.
    const told = [chunk.usage, choice?.usage, chunk.x_groq?.usage].find(saysUsage) ?? chunk.usage
    if (told && typeof told === 'object' && (!usage || saysUsage(told))) usage = told
    if (!choice) return
    if (choice.error) throw faults.told(choice.error, data)
    const { delta, finish_reason } = choice
    if (delta) {
      const { reasoning_content, reasoning, content, refusal, tool_calls } = delta
      const thought = reasoning_content || reasoning
      if (thought && typeof thought === 'string') {
        thoughts ??= reasoning_content ? 'reasoning_content' : 'reasoning'
        say('reasoning', thought)
      }
      const isRetained = holdsRetained(delta)
      if (isRetained) retainer.add(delta)
      const text = textOf(content) || textOf(refusal)
      if (text) say('text', text)
      const called: readonly CallDelta[] = Array.isArray(tool_calls) ? tool_calls : []
      for (const call of called) calls.add(call)
      // Only events that say one thing are alike.
      if (called.length === 0 && !(thought && text) && !isRetained) fastPath.learn(data, delta)
    }
    if (typeof finish_reason === 'string' && finish_reason) finish = finish_reason
  }

  const parser = createParser({
    onEvent({ data }) {
      if (done) return
      sinceEvent = 0
      events++
      const text = fastPath.match(data)
      if (text !== undefined) {
        if (text) say(fastPath.field === 'content' ? 'text' : 'reasoning', text)
        return
      }
      if (data.length > replyLimits.event) throw tooLargeEvent()
      if (data.trim() === '[DONE]') {
        conclude()
        return
      }
      try {
        read(data, JSON.parse(data))
      } catch (error) {
        const isSyntax = error instanceof SyntaxError
        if (!isSyntax && !(error instanceof TypeError || error instanceof RangeError)) throw error
        if (ending) return
        const what = isSyntax ? 'is no JSON' : 'has another shape'
        throw faults.garbled(`an event that ${what}`, data.slice(0, HEAD))
      }
    }
  })

  function conclude(): void {
    if (finish === undefined && blocks === 0 && !calls.any) throw faults.empty()
    endBlock()
    retain()
    calls.end(thoughts)
    push({ type: 'finish', usage: usageOf(usage), finishReason: finishReason(finish, calls.any) })
    done = true
  }

  /** Data of the message belongs to none of its texts: it is a thought without text. */
  function retain(): void {
    const message = retainer.fields
    if (!message) return
    const id = `reasoning-${blocks++}`
    push({ type: 'reasoning-start', id, providerMetadata: metadataOf(provider, { message }) })
    push({ type: 'reasoning-end', id })
  }

  return {
    /** Throws what is wrong with it; what came before stays to be taken. */
    feed(text: string): void {
      if (done) return
      if (events === 0 && head.length < HEAD) head += text.slice(0, HEAD)
      sinceEvent += text.length
      length += text.length
      parser.feed(text)
      if (length > replyLimits.total) throw tooLargeReply()
      if (sinceEvent <= replyLimits.event) return
      throw events === 0 && !/^data:/m.test(head) ? faults.strange(headers, head) : tooLargeEvent()
    },

    /** Nothing more comes. Throws when the reply was not complete; some servers leave out `[DONE]`. */
    end(cause?: Error): void {
      if (done) return
      // The last event may lack its empty line, or more: then it cannot be read.
      ending = true
      parser.feed('\n\n')
      if (done) return
      if (finish === undefined)
        throw events === 0 && head.trim() !== '' ? faults.strange(headers, head) : faults.cut(cause)
      conclude()
    },

    /** So many of the parts that have come since the last time. */
    take(most: number): Part[] {
      if (parts.length > most) {
        size = (parts.length - most) * PART
        return parts.splice(0, most)
      }
      const taken = parts
      parts = []
      last = undefined
      size = 0
      return taken
    },

    /** What waits to be taken, about its characters. */
    get size(): number {
      return size
    },
    /** What the server has said of it so far. */
    get usage(): LanguageModelV4Usage | undefined {
      return usage && usageOf(usage)
    },
    /** It is complete, whatever else may come. */
    get done(): boolean {
      return done
    }
  }
}
