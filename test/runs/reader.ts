import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '../../plugins/runs/test/testbed.ts'
import type { Connected } from '../frames.ts'
import { connect } from '../frames.ts'
import type { Place, Scope } from './place.ts'

export interface Reader {
  readonly runId: string
  /** What was read so far, without keepalives: exactly as it came, a line an event. */
  readonly lines: readonly string[]
  readonly events: readonly Event[]
  /** How often it had to go on with another connection. */
  readonly resumed: number
  /** Resolves with the first event that is so, read already or yet to come; rejects when the run ends without. */
  until(is: (event: Event) => boolean): Promise<Event>
  /** Resolves with all events when the run has ended; rejects when it cannot be read on. */
  readonly over: Promise<readonly Event[]>
  close(): void
}

export interface ReadOptions {
  /** Begins a run with that body; otherwise `runId` is followed. */
  readonly body?: object
  readonly runId?: string
  /** `seq` of the last event that is known already. */
  readonly after?: number
  /** Leaves after so many events, and comes back. */
  readonly restless?: number
  /** Where it goes on when its connection ends before the run. */
  readonly elsewhere?: Place
  /** Answers with which an instance asks to try again. */
  readonly away?: readonly number[]
}

const lasts = new Set(['final', 'error', 'cancelled'])
export const isLast = ({ type }: Event): boolean => lasts.has(type)

/** Reads a run to its end, over as many connections as it takes. */
export async function read(t: Scope, place: Place, options: ReadOptions): Promise<Reader> {
  const { restless = Number.POSITIVE_INFINITY, elsewhere = place, away = [503] } = options
  const lines: string[] = []
  const events: Event[] = []
  const waiting = new Set<() => void>()
  let at = options.after ?? -1
  let resumed = 0
  let closed = false
  let over = false

  /** Goes on behind what was read: told by body, by query and by header in turns. */
  async function open({ url, client }: Place, runId: string): Promise<Connected> {
    const stream = `${url}/v1/agents/runs/${runId}/stream`
    const authorization = `Bearer ${await client.key()}`
    const way = resumed % 3
    if (way === 0) return connect(stream, { method: 'POST', headers: { authorization }, body: { after: at } })
    if (way === 1) return connect(`${stream}?after=${at}`, { headers: { authorization } })
    return connect(stream, { headers: { authorization, ...(at >= 0 && { 'last-event-id': at }) } })
  }

  async function begin(body: object): Promise<Connected> {
    const headers = { authorization: `Bearer ${await place.client.key()}` }
    return connect(`${place.url}/v1/agents/run/stream`, { method: 'POST', headers, body })
  }

  async function opened(connecting: Promise<Connected>): Promise<Connected> {
    const connected = await connecting
    const { statusCode } = connected.response
    if (statusCode === 200) return connected
    throw Object.assign(new Error(`${statusCode} ${await connected.rest()}`), { statusCode })
  }

  const { body, runId: given = '' } = options
  let connected = await opened(body ? begin(body) : open(place, given))
  const runId = String(connected.response.headers['x-run-id'] ?? given)

  function take(frame: string): void {
    const line = frame.slice(frame.indexOf('data: ') + 6)
    const event: Event = JSON.parse(line)
    if (event.type === 'keepalive') return
    lines.push(line)
    events.push(event)
    at = event.seq
    for (const look of waiting) look()
  }

  async function again(): Promise<Connected> {
    for (;;)
      try {
        return await opened(open(elsewhere, runId))
      } catch (error) {
        if (closed || !away.includes((error as { statusCode: number }).statusCode)) throw error
        await delay(20)
      }
  }

  async function readOn(): Promise<readonly Event[]> {
    for (;;) {
      for (let heard = 0; heard < restless; heard++) {
        const frame = await connected.frame().catch(() => undefined)
        if (frame === undefined) break
        take(frame)
      }
      connected.close()
      const last = events.at(-1)
      if (closed || (last && isLast(last))) return events
      resumed++
      connected = await again()
    }
  }

  const reading = readOn().finally(() => {
    over = true
    for (const look of waiting) look()
  })
  reading.catch(() => undefined)
  const close = () => {
    closed = true
    connected.close()
  }
  t.teardown(close)
  return {
    runId,
    lines,
    events,
    get resumed() {
      return resumed
    },
    until: (is) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find(is)
          if (!found && !over) return
          waiting.delete(look)
          if (found) resolve(found)
          else reject(new Error(`Not said: ${lines.join('\n')}`))
        }
        waiting.add(look)
        look()
      }),
    over: reading,
    close
  }
}
