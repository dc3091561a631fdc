import { pace } from 'agent-platform'
import { createParser } from 'eventsource-parser'
import { replyLimits, tooLargeEvent, tooLargeReply, tooManyValues } from '../reply-limits.ts'
import type { Activity } from './activity.ts'

/** Characters of an event that cannot hold enough to matter. */
const SMALL = 4_096
/** Values of one event: vendors' clients check each by a schema, at some microseconds. */
const VALUES = 2_000
/** What those schemas take as it is: the arguments of a call. */
const UNCHECKED = new Set(['args', 'input'])

/** The events of a body, one at a time, within the limits of a reply and of this turn of the event loop. */
export function limitedEvents(
  body: AsyncIterable<Uint8Array>,
  activity?: Activity
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let events: string[] = []
  let at = 0
  let length = 0
  let sinceEvent = 0
  const parser = createParser({
    onEvent({ data }) {
      sinceEvent = 0
      checkValues(data)
      events.push(data)
    }
  })

  function feed(text: string): void {
    events = []
    at = 0
    length += text.length
    sinceEvent += text.length
    parser.feed(text)
    if (length > replyLimits.total) throw tooLargeReply()
    if (sinceEvent > replyLimits.event) throw tooLargeEvent()
  }

  async function leave(): Promise<void> {
    await chunks.return?.()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      while (at === events.length) {
        const { done, value } = await chunks.next()
        if (done) return controller.close()
        if (activity) activity.received += value.length
        feed(decoder.decode(value, { stream: true }))
      }
      await pace()
      const data = events[at++] as string
      controller.enqueue(encoder.encode(`data: ${data.replaceAll('\n', '\ndata: ')}\n\n`))
    } catch (error) {
      controller.error(error)
      await leave()
    }
  }
  return new ReadableStream({ pull, cancel: leave }, { highWaterMark: 0 })
}

/** A body that is one JSON value, within the limits of an event. */
export async function limitedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > replyLimits.event) throw tooLargeEvent()
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString()
  checkValues(text)
  return text
}

function checkValues(data: string): void {
  if (data.length > replyLimits.event) throw tooLargeEvent()
  if (data.length <= SMALL) return
  const left: unknown[] = []
  try {
    left.push(JSON.parse(data))
  } catch {
    // The client says so.
    return
  }
  for (let values = 0; left.length > 0; ) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (++values > VALUES) throw tooManyValues(VALUES)
      if (!UNCHECKED.has(name)) left.push(inner)
    }
  }
}
