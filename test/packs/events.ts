import type { Scope } from './stage.ts'

export interface Event {
  readonly type: string
  readonly seq: number
  readonly text?: string
}

/** Reads a stream of events as long as it is served; `all` are those read so far, without keepalives. */
export async function listen(t: Scope, url: string, key: string, after = -1) {
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const response = await fetch(`${url}?after=${after}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: stop.signal
  })
  const all: Event[] = []
  let wake = Promise.withResolvers<void>()
  let open = true
  const ended = read().catch(() => undefined)
  async function read() {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  }
  function take(frame: string) {
    const line = frame.split('\n').find((line) => line.startsWith('data: '))
    if (!line) return
    const event: Event = JSON.parse(line.slice(6))
    if (event.type !== 'keepalive') all.push(event)
    wake.resolve()
    wake = Promise.withResolvers()
  }
  void ended.then(() => {
    open = false
    wake.resolve()
  })
  return {
    status: response.status,
    all,
    /** Resolves when the server has closed it. */
    ended,
    stop: () => stop.abort(),
    /** Resolves when an event of that number was read, or the stream has ended. */
    async reached(seq: number) {
      while (open && (all.at(-1)?.seq ?? -1) < seq) await wake.promise
      return all
    }
  }
}

/** The numbers of events from 0 without a gap: what the numbers of a whole stream must be. */
export const gapless = (events: readonly Event[]) => events.every(({ seq }, index) => seq === index)
