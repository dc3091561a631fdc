import { once } from 'node:events'
import http from 'node:http'
import type { Event } from './streams.ts'

export interface Connected {
  readonly response: http.IncomingMessage
  /** The next frame; undefined when the server ended the stream. */
  frame(): Promise<string | undefined>
  /** All that comes until the server ends. */
  rest(): Promise<string>
  close(): void
}

/** A request whose answer is read frame by frame. */
export async function connect(
  url: string,
  {
    method = 'GET',
    headers = {},
    body
  }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: object } = {}
): Promise<Connected> {
  const sent = http.request(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    agent: false
  })
  sent.end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage]
  response.setEncoding('utf8')
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<string>
  let text = ''
  async function frame() {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const first = text.slice(0, end)
        text = text.slice(end + 2)
        return first
      }
      const { done, value } = await pieces.next()
      if (done) return undefined
      text += value
    }
  }
  async function rest() {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) text += piece.value
    return text
  }
  return { response, frame, rest, close: () => void response.destroy() }
}

export const eventOf = (frame: string | undefined): Event =>
  JSON.parse(frame?.slice(frame.indexOf('data: ') + 6) ?? 'null') as Event
