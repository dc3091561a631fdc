import type { Kernel, Reply, Request } from 'agent-platform'
import type { ConsolePack } from './schemas.ts'

export type PackFeed = ReturnType<typeof createPackFeed>

const BEAT_MS = 15_000
/** A reader that takes nothing for so long is let go. */
const DRAIN_MS = 60_000

/** Which packs there are, now and after each change. */
export function createPackFeed({ packs, detach }: Pick<Kernel, 'packs' | 'detach'>) {
  const list = (): ConsolePack[] =>
    packs.mounted().map(({ name, area, summary }) => ({ name, area, summary }))

  return {
    list,

    /** Answers with a stream that outlives generations, and ends with the session or the pack. */
    serve(request: Request, reply: Reply): void {
      reply.hijack()
      const { raw: response } = reply
      if (response.destroyed) return
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
        'x-request-id': request.id
      })
      response.flushHeaders()
      let last = ''
      // Where the reader is slow it gets the latest when it goes on.
      const send = () => {
        const data = JSON.stringify(list())
        if (data === last || response.writableNeedDrain) return
        last = data
        response.write(`event: packs\ndata: ${data}\n\n`)
      }
      const hearing = packs.onChange(send)
      const beat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), BEAT_MS).unref()
      response.on('drain', send)
      response.on('error', () => response.destroy())
      response.setTimeout(DRAIN_MS, () => response.destroy())
      response.on('close', () => {
        hearing[Symbol.dispose]()
        clearInterval(beat)
      })
      detach(request, () => response.end())
      send()
    }
  }
}
