import { api } from 'agent-platform/console'
import type { RunEvent, RunRequest } from 'agent-platform-client'
import { ApiError, ConnectionError, StreamError } from 'agent-platform-client'
import { onNextFrame } from './frames.ts'
import type { RunView } from './run-view.ts'
import { createRunView, hasEnded } from './run-view.ts'

/** `lost`: tried again by itself. `refused`: the platform did not take the request, or has no such run. */
export type Connection =
  | { readonly state: 'closed' | 'open' | 'held' | 'lost' }
  | { readonly state: 'refused'; readonly error: unknown }

export interface LiveState extends RunView {
  readonly connection: Connection
  /** All of them, if they are kept; grows in place, `last` tells that it did. */
  readonly events: readonly RunEvent[]
}

export type LiveRun = ReturnType<typeof createLiveRun>

/** Begins a run (twice with the same key is once), or follows one that is there. */
type Source = { readonly runId: string } | { readonly body: RunRequest; readonly key: string }

/** Between two tries to reach a platform that is away. */
const AGAIN_MS = 3_000
/** So many events are taken in one go, so that a long backlog holds up no frame. */
const AT_ONCE = 400

/** A run as it goes on, for `useSyncExternalStore`: changes are told once a frame. */
export function createLiveRun(source: Source, { keepsEvents = false } = {}) {
  const run = createRunView('runId' in source ? source.runId : undefined)
  const events: RunEvent[] = []
  const listeners = new Set<() => void>()
  let connection: Connection = { state: 'closed' }
  let state: LiveState = { ...run.view(), connection, events }
  let leaving: AbortController | undefined
  let mayHold = false

  function publish() {
    state = { ...run.view(), connection, events }
    for (const listener of listeners) listener()
  }

  function connect(next: Connection) {
    connection = next
    onNextFrame(publish)
  }

  function open(signal: AbortSignal) {
    const { runId, last } = run.view()
    if (runId !== undefined) return api.runs.follow(runId, { after: last, signal })
    const { body, key } = source as Extract<Source, { key: string }>
    return api.runs.stream(body, { idempotencyKey: key, signal })
  }

  async function read(signal: AbortSignal): Promise<Connection> {
    let taken = 0
    for await (const event of open(signal)) {
      if (connection.state !== 'open') connect({ state: 'open' })
      run.add(event)
      if (keepsEvents) events.push(event)
      onNextFrame(publish)
      // Its turn comes later; a browser has few connections.
      if (mayHold && event.type === 'status' && event.status === 'queued') return { state: 'held' }
      if (++taken % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve))
    }
    return { state: 'closed' }
  }

  async function readOn(signal: AbortSignal) {
    for (;;) {
      try {
        return connect(await read(signal))
      } catch (error) {
        if (signal.aborted) return
        if (run.view().runId === undefined || !mayPass(error)) return connect({ state: 'refused', error })
        connect({ state: 'lost' })
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        if (signal.aborted) return
      }
    }
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    state: () => state,
    /** Goes on behind the last event. `holds`: leaves while the run stands behind another one, until it is opened again. */
    open({ holds = false } = {}) {
      mayHold = holds
      const isOpen = connection.state === 'open' || connection.state === 'lost'
      if ((leaving && isOpen) || hasEnded(run.view())) return
      leaving?.abort()
      leaving = new AbortController()
      connection = { state: 'open' }
      void readOn(leaving.signal)
    },
    /** The run goes on. */
    close() {
      leaving?.abort()
      leaving = undefined
      if (connection.state === 'refused') return
      connection = { state: 'closed' }
      publish()
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof StreamError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429))
