import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider'
import { createParser } from 'eventsource-parser'
import { replyLimits, tooLargeEvent, tooLargeReply, tooManyBlocks } from '../reply-limits.ts'
import type { Chunk } from './chunk.ts'
import { metadata, wholeIn } from './chunk.ts'
import { createDeltaFastPath } from './delta-fast-path.ts'
import { createDeltaReader } from './delta-reader.ts'
import type { Faults, Headers } from './faults.ts'
import { finishReason } from './finish-reason.ts'
import { metadataOf } from './opaque.ts'
import { createPartQueue } from './part-queue.ts'
import { createThoughtReader } from './thoughts-in-text.ts'
import { createToolCalls } from './tool-calls.ts'
import type { RawUsage } from './usage.ts'
import { saysUsage, usageIn, usageOf } from './usage.ts'

/** Characters from the beginning of something that turns out not to be a reply. */
const HEAD = 16_384

export type Part = LanguageModelV4StreamPart

export type Reply = ReturnType<typeof createReply>

/** What earlier replies have shown of a model. */
export interface Manner {
  beginsInThought: boolean
}

/**
 * Reads the text of a reply, cut anywhere, into parts; deltas that were not taken yet become one. Data that the server
 * wants back is the metadata of parts, under the name of the provider.
 */
export function createReply(
  provider: string,
  faults: Faults,
  headers: Headers,
  warnings: SharedV4Warning[],
  manner: Manner = { beginsInThought: false }
) {
  const queue = createPartQueue({ type: 'stream-start', warnings })
  const { push, append } = queue
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
  /** `[DONE]` has come, and no usage yet: some servers send it behind. */
  let awaitsUsage = false
  const fastPath = createDeltaFastPath()

  const calls = createToolCalls(provider, faults, push, append)
  const thoughtReader = createThoughtReader({
    say,
    beginsInThought: manner.beginsInThought,
    foundClose() {
      manner.beginsInThought = true
    }
  })

  const deltaReader = createDeltaReader({
    sayText: (text) => thoughtReader.text(text),
    sayThought: (thought) => say('reasoning', thought),
    addCall: calls.add,
    learn: fastPath.learn
  })

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
    const told = usageIn(chunk as Readonly<Record<string, unknown>>)
    if (told && (!usage || saysUsage(told))) usage = told
    if (!choice || awaitsUsage) return
    if (choice.error) throw faults.told(choice.error, data)
    const { finish_reason } = choice
    const delta = choice.delta ?? choice.message
    if (delta) deltaReader.read(data, delta)
    if (typeof finish_reason === 'string' && finish_reason) finish = finish_reason
  }

  const parser = createParser({
    onEvent({ data }) {
      if (done) return
      sinceEvent = 0
      events++
      const text = awaitsUsage ? undefined : fastPath.match(data)
      if (text !== undefined) {
        if (text && fastPath.field === 'content') thoughtReader.text(text)
        else if (text) say('reasoning', text)
        return
      }
      if (data.length > replyLimits.event) throw tooLargeEvent()
      if (data.trim() === '[DONE]') {
        if (usage && saysUsage(usage)) conclude()
        else awaitsUsage = true
        return
      }
      try {
        read(data, JSON.parse(data))
        if (awaitsUsage && usage && saysUsage(usage)) conclude()
      } catch (error) {
        const isSyntax = error instanceof SyntaxError
        if (!isSyntax && !(error instanceof TypeError || error instanceof RangeError)) throw error
        if (ending) return
        const what = isSyntax ? 'is no JSON' : 'has another shape'
        throw faults.garbled(`an event that ${what}`, data.slice(0, HEAD))
      }
    }
  })

  /** Some servers answer with one document though they were asked for a stream. */
  function readWhole(): boolean {
    const whole = wholeIn(head)
    if (!whole) return false
    read(head, whole)
    finish ??= 'stop'
    conclude()
    return true
  }

  function conclude(): void {
    thoughtReader.end()
    if (blocks === 0 && !calls.any && finish === 'refusal') throw faults.refused()
    if (finish === undefined && blocks === 0 && !calls.any) throw faults.empty()
    endBlock()
    retain()
    calls.end(deltaReader.thoughts)
    push({ type: 'finish', usage: usageOf(usage), finishReason: finishReason(finish, calls.any) })
    done = true
  }

  /** Data of the message belongs to none of its texts: it is a thought without text. */
  function retain(): void {
    const message = deltaReader.retained
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
      // One document in place of a stream.
      else if (events === 0 && head.trimStart()[0] === '{') head += text
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
      if (awaitsUsage) conclude()
      if (done || (events === 0 && readWhole())) return
      if (finish === undefined)
        throw events === 0 && head.trim() !== '' ? faults.strange(headers, head) : faults.cut(cause)
      conclude()
    },

    /** So many of the parts that have come since the last time. */
    take: queue.take,

    /** What waits to be taken, about its characters. */
    get size(): number {
      return queue.size
    },
    /** It is complete but for its usage, which may come or not. */
    get awaitsUsage(): boolean {
      return awaitsUsage && !done
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
