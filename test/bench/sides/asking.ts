import type { Readable } from 'node:stream'
import { Pool } from 'undici'

const START = 'data: '.length

/** Asks a chat-completions server, the shortest way. */
export function createAsking(modelUrl: string) {
  const { origin, pathname } = new URL(modelUrl)
  const pool = new Pool(origin, { connections: 128 })
  const headers = { 'content-type': 'application/json' }
  return {
    ask: (body: object) =>
      pool.request({
        path: `${pathname}/chat/completions`,
        method: 'POST',
        headers,
        body: JSON.stringify(body)
      }),
    /** The words of a streamed reply, those together that came together. */
    async *words(body: Readable): AsyncGenerator<readonly string[]> {
      body.setEncoding('utf8')
      let text = ''
      for await (const piece of body) {
        text += piece
        const words: string[] = []
        let from = 0
        for (let to = text.indexOf('\n\n'); to >= 0; to = text.indexOf('\n\n', from)) {
          const data = text.slice(from + START, to)
          from = to + 2
          const word = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content
          if (word) words.push(word)
        }
        text = text.slice(from)
        if (words.length > 0) yield words
      }
    }
  }
}
