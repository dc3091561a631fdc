import { foreign } from './call.ts'
import { StreamError } from './errors.ts'
import type { Frame, Frames } from './frames.ts'
import { createFrames } from './frames.ts'
import { mayPass, pause, pauseAfter } from './retries.ts'
import { connected } from './send.ts'

/** The events of something that goes on, each exactly once, until it ends. It is read once. */
export interface EventStream<E> extends AsyncIterableIterator<E> {
  /** Of what is followed: known once an event has come, for a run once the platform has accepted it. */
  readonly id: string | undefined
}

export interface StreamOptions<E> {
  /** Names the platform in errors. */
  readonly origin: string
  /** While the id is not known: begins it, or attaches to it when it was begun by the same request before. */
  readonly begin?: ((signal: AbortSignal) => Promise<Response>) | undefined
  readonly id?: string | undefined
  /** What came after that event. */
  readonly resume: (id: string, after: number, signal: AbortSignal) => Promise<Response>
  readonly idOf: (event: E) => string
  /** `seq` of the last event that is known already; -1: none. */
  readonly after: number
  readonly signal?: AbortSignal | undefined
  /** Tries to begin, beside the first. */
  readonly retries: number
  /** Tries to go on in a row of which none brings a single frame. */
  readonly resumes: number
  readonly silenceMs: number
  /** Whether it has ended, as its record says. */
  readonly hasEnded: (id: string, signal: AbortSignal) => Promise<boolean>
  /** Whether it is over for this caller, where it is refused to go on. */
  readonly isOver?: ((error: unknown) => boolean) | undefined
  /** Events that are not stored: they have the `seq` of the one before them, and come once or not at all. */
  readonly unstored?: ReadonlySet<string> | undefined
}

/** A connection that lasted so long was a good one, though nothing new came. */
const LASTED_MS = 5_000
/** What runs, tasks and executions end with, and what is followed by request. */
const LAST = new Set(['final', 'error', 'completed', 'failed', 'cancelled', 'unsubscribed'])

export function createEventStream<E extends Frame>(options: StreamOptions<E>): EventStream<E> {
  const { origin, begin, resume, idOf, after, signal, retries, resumes, silenceMs, hasEnded } = options
  const { isOver, unstored } = options
  const leaving = new AbortController()
  const leave = () => leaving.abort(signal?.reason)
  let { id } = options
  let last = after
  let tries = 0
  let over = false
  /** Received and not yet taken; after those, `gap`. */
  let events: E[] = []
  let taken = 0
  let gap: StreamError | undefined
  let frames: Frames | undefined
  /** `last` when the connection was opened, and whether it was known to be over by then. */
  let opened = after
  let since = 0
  let ended = false
  let wasOpen = false

  async function open(): Promise<Frames> {
    opened = last
    since = performance.now()
    const response =
      id === undefined && begin ? await begin(leaving.signal) : await resume(id ?? '', last, leaving.signal)
    if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? ''))
      throw foreign(response)
    id ??= response.headers.get('x-run-id') ?? undefined
    wasOpen = true
    return createFrames(response.body, silenceMs)
  }

  function receive(came: readonly Frame[]) {
    if (performance.now() - since > LASTED_MS) tries = 0
    events = []
    taken = 0
    for (const frame of came) {
      const isUnstored = unstored?.has(frame.type) ?? false
      if (frame.type === 'keepalive' || (frame.seq <= last && !isUnstored)) continue
      const event = frame as E
      if (event.seq > last + 1) {
        gap = new StreamError(`The stream of ${idOf(event)} goes from event ${last} to ${event.seq}`)
        return
      }
      if (!isUnstored) last = event.seq
      tries = 0
      id ??= idOf(event)
      events.push(event)
      if (LAST.has(event.type)) return finish()
    }
  }

  /** Nothing comes after the last event; once the end of the reply is read, its connection can be used again. */
  function finish() {
    over = true
    const { read, close } = frames as Frames
    void read().then(close, close)
  }

  /** Reads on, after a pause where something went wrong, from another connection where this one has ended. */
  async function fill(): Promise<void> {
    let failure: unknown
    try {
      frames ??= await open()
      const came = await connected(frames.read(), leaving.signal, origin)
      if (came) return receive(came)
      frames.close()
      frames = undefined
      // Nothing more, of what was known to be over: `after` was its last event.
      if (last === opened && ended) over = true
      else if (last === opened && id !== undefined) ended = await hasEnded(id, leaving.signal)
      if (over || ended) return
    } catch (error) {
      frames?.close()
      frames = undefined
      over = wasOpen && (isOver?.(error) ?? false)
      if (over) return
      if (leaving.signal.aborted || !mayPass(error)) throw error
      failure = error
    }
    if (++tries > (id === undefined ? retries : resumes))
      throw failure ?? new StreamError(`The stream of ${id ?? 'the run'} ends too early`)
    await pause(pauseAfter(failure, tries), leaving.signal)
  }

  const done = { done: true, value: undefined } as const
  let begun = false
  let left = false

  async function next(): Promise<IteratorResult<E>> {
    if (!begun) signal?.addEventListener('abort', leave, { once: true })
    begun = true
    try {
      for (;;) {
        if (left) return done
        signal?.throwIfAborted()
        const event = events[taken++]
        if (event) return { done: false, value: event }
        if (gap) throw gap
        if (over) return stop()
        await fill()
      }
    } catch (error) {
      if (left) return done
      stop()
      throw error
    }
  }

  function stop() {
    left = true
    signal?.removeEventListener('abort', leave)
    if (!over) {
      leaving.abort()
      frames?.close()
    }
    return done
  }

  let turn: Promise<unknown> = Promise.resolve()
  return {
    get id() {
      return id
    },
    next() {
      const result = turn.then(next)
      turn = result.catch(() => undefined)
      return result
    },
    /** Closes the connection at once, also while an event is waited for. */
    return: async () => stop(),
    [Symbol.asyncIterator]() {
      return this
    }
  }
}
