import type { Kernel, Principal } from 'agent-platform'

export type OpenRequests = ReturnType<typeof createOpenRequests>

/** Signal: a caller cancelled one of its requests. */
const cancelled = 'mcp-server.cancelled'

/**
 * Requests of the session protocol under way in this process. A client cancels one of them by another request, which
 * may reach another instance: this is all that is kept of a session.
 */
export function createOpenRequests({ shared, signals }: Pick<Kernel, 'shared' | 'signals'>) {
  let open = new Map<string, AbortController>()
  let subscription: Disposable | undefined

  return {
    async begin(): Promise<void> {
      const held = open
      open = await shared(
        'exchanges/1',
        async () => held,
        async () => undefined
      )
      subscription = signals.on(cancelled, (key) => open.get(String(key))?.abort())
    },
    async end(): Promise<void> {
      subscription?.[Symbol.dispose]()
    },
    /** Aborted when the caller cancels that request of that session; forgotten by `close`. */
    open(by: Principal, session: string, request: string | number): { signal: AbortSignal; close(): void } {
      const key = keyOf(by, session, request)
      const cancel = new AbortController()
      open.set(key, cancel)
      return {
        signal: cancel.signal,
        close: () => {
          if (open.get(key) === cancel) open.delete(key)
        }
      }
    },
    /** Wherever it is under way. */
    cancel: (by: Principal, session: string, request: string | number): void =>
      signals.send(cancelled, keyOf(by, session, request))
  }
}

/** Sessions and ids are the client's to choose: requests of other principals are out of their reach. */
const keyOf = ({ project, id, owner }: Principal, session: string, request: string | number): string =>
  JSON.stringify([project, id, owner, session, request])
