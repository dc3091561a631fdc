import type { StreamEvent, View } from 'agent-platform'
import type { Usage } from '../../runs/contract.ts'
import type { End, Piece } from './pieces.ts'
import { createPieces } from './pieces.ts'
import type { CallItem, MessageItem, OutputItem, Shown } from './response.ts'
import { incompleteDetails, responseOf, textPart } from './response.ts'

const bare = (id: string) => id.slice(id.indexOf('_') + 1)

/** Makes the items and the events of a response, by the same count each time: what was sent is told again alike. */
export function createResponseEvents(shown: Shown) {
  const read = createPieces()
  const output: OutputItem[] = []
  let sequence = 0
  let text: string | undefined
  /** The answer, where it was cut. */
  let cut: OutputItem | undefined

  const event = (type: string, fields: object) => ({ type, sequence_number: sequence++, ...fields })
  const itemId = (prefix: string) => `${prefix}_${bare(shown.id)}_${output.length}`
  const message = (status: MessageItem['status'], content: readonly object[]): MessageItem => ({
    id: itemId('msg'),
    type: 'message',
    status,
    role: 'assistant',
    content
  })

  function* begin() {
    const response = responseOf(shown, [], undefined)
    yield event('response.created', { response })
    yield event('response.in_progress', { response })
  }

  function* say(delta: string) {
    const at = { output_index: output.length }
    const { id: item_id } = message('in_progress', [])
    if (text === undefined) {
      text = ''
      yield event('response.output_item.added', { ...at, item: message('in_progress', []) })
      yield event('response.content_part.added', { item_id, ...at, content_index: 0, part: textPart('') })
    }
    text += delta
    yield event('response.output_text.delta', { item_id, ...at, content_index: 0, delta, logprobs: [] })
  }

  /** The message that is being said is over. */
  function* close(status: 'completed' | 'incomplete') {
    if (text === undefined) return
    const at = { output_index: output.length }
    const item = message(status, [textPart(text)])
    const { id: item_id } = item
    yield event('response.output_text.done', { item_id, ...at, content_index: 0, text, logprobs: [] })
    yield event('response.content_part.done', { item_id, ...at, content_index: 0, part: textPart(text) })
    yield event('response.output_item.done', { ...at, item })
    output.push(item)
    text = undefined
  }

  function* call({ callId: call_id, name, args }: Extract<Piece, { kind: 'call' }>) {
    yield* close('completed')
    const at = { output_index: output.length }
    const item = {
      id: itemId('fc'),
      type: 'function_call',
      status: 'in_progress',
      call_id,
      name,
      arguments: ''
    }
    const { id: item_id } = item
    yield event('response.output_item.added', { ...at, item })
    yield event('response.function_call_arguments.delta', { item_id, ...at, delta: args })
    yield event('response.function_call_arguments.done', { item_id, ...at, name, arguments: args })
    const done = { ...item, status: 'completed', arguments: args } as CallItem
    yield event('response.output_item.done', { ...at, item: done })
    output.push(done)
  }

  /** An answer that came without a stream of text is told whole. */
  function* finish(end: End, usage: Usage, at: number | undefined) {
    if (end.status === 'completed' && text === undefined && end.content !== '') yield* say(end.content)
    const isCut = incompleteDetails(end) !== null
    const isWhole = (end.status === 'completed' && !isCut) || end.status === 'calls'
    yield* close(isWhole ? 'completed' : 'incomplete')
    if (isCut) cut = output.at(-1)
    const counting = output.filter((item) => item.status === 'completed' || item === cut)
    const response = responseOf(shown, end.status === 'completed' ? answerOf(counting) : counting, {
      end,
      usage,
      ...(at !== undefined && { at })
    })
    if (isWhole) yield event('response.completed', { response })
    else if (end.status === 'failed') yield event('response.failed', { response })
    else yield event('response.incomplete', { response })
  }

  return {
    begin: () => [...begin()],
    read,
    /** Of a piece but the end. */
    next(piece: Exclude<Piece, { kind: 'end' }>): readonly object[] {
      if (piece.kind === 'text') return [...say(piece.text)]
      if (piece.kind === 'call') return [...call(piece)]
      if (piece.kind === 'reasoning') return []
      return [...close(piece.kind === 'restart' ? 'incomplete' : 'completed')]
    },
    /** `at`: when its last event came about. */
    finish: (end: End, usage: Usage, at?: number) => [...finish(end, usage, at)],
    /** As far as it has come: what does not count any more is left out. */
    items: (): readonly OutputItem[] => [
      ...output.filter((item) => item.status !== 'incomplete' || item === cut),
      ...(text === undefined ? [] : [message('in_progress', [textPart(text)])])
    ]
  }
}

/** Of a response that completed: what was said on the way is no part of it. */
const answerOf = (items: readonly OutputItem[]) => items.filter((item) => item.type === 'message').slice(-1)

/** The events of a response from behind that `sequence_number`. */
export function responseView(
  shown: Shown,
  after: number,
  ended: (end: End, seq: number) => Promise<Usage>
): View {
  const events = createResponseEvents(shown)
  let begun = false
  let isOver = false
  return {
    async show(event) {
      const frames: object[] = []
      if (!begun) frames.push(...events.begin())
      begun = true
      for (const piece of events.read(event)) {
        if (isOver) continue
        if (piece.kind !== 'end') frames.push(...events.next(piece))
        else {
          const usage = await ended(piece.end, event.seq)
          frames.push(...events.finish(piece.end, usage, secondsOf(event)))
          isOver = true
        }
      }
      return frames.filter((frame) => (frame as { sequence_number: number }).sequence_number > after)
    },
    isLast: () => isOver,
    nameOf: (frame) => (frame as { type: string }).type
  }
}

/** What a response has come to, by the events of its run so far. */
export function createResponseCollector(shown: Shown) {
  const events = createResponseEvents(shown)
  return {
    items: events.items,
    /** The end, once it is told. */
    take(event: StreamEvent): End | undefined {
      for (const piece of events.read(event)) {
        if (piece.kind === 'end') {
          events.finish(piece.end, { inputTokens: 0, cachedTokens: 0, outputTokens: 0 })
          return piece.end
        }
        events.next(piece)
      }
      return undefined
    },
    /** All that counts of it. */
    output: (end: End | undefined): readonly OutputItem[] =>
      end?.status === 'completed' ? answerOf(events.items()) : events.items()
  }
}

/** Unix time of an event, in seconds. */
export const secondsOf = ({ at }: StreamEvent): number | undefined =>
  typeof at === 'string' ? Math.floor(Date.parse(at) / 1_000) : undefined
