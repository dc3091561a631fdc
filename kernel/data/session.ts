import { Socket } from 'node:net'
import pg from 'pg'

/** One connection of its own, on which no question waits longer than its time limit. */
export interface Session {
  /** Rejects when the server fails or is silent for too long; the latter ends the session. */
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** Resolves when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>
  /** Takes leave of the server, which frees its locks at once; cuts the connection when it does not answer. */
  end(): Promise<void>
  /** Cuts the connection. */
  destroy(): void
}

interface SessionOptions {
  readonly connection: pg.ClientConfig
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number
  readonly hear: (channel: string, payload: string) => void
}

/** Opens a session; rejects when the server cannot be reached, or within twice the limit does not answer. */
export async function openSession({ connection, timeoutMs, hear }: SessionOptions): Promise<Session> {
  const socket = new Socket()
  const client = new pg.Client({ ...connection, keepAlive: true, stream: () => socket })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // Whatever goes wrong also rejects the question under way and ends the client.
  client.on('error', () => socket.destroy())
  client.on('notification', ({ channel, payload = '' }) => hear(channel, payload))

  const answered = <T>(question: Promise<T>, limit: number): Promise<T> =>
    withinLimit(question, limit, () => socket.destroy())

  try {
    await answered(client.connect(), 2 * timeoutMs)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    ended,
    query: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await answered(client.query<R>(text, [...values]), timeoutMs)).rows,
    async end() {
      await answered(client.end(), timeoutMs).catch(() => undefined)
    },
    destroy: () => socket.destroy()
  }
}

async function withinLimit<T>(question: Promise<T>, limitMs: number, giveUp: () => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => {
    giveUp()
    reject(new Error(`The database did not answer within ${limitMs} ms`))
  }
  // An answer that came while this process itself was busy is read before the immediate runs.
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    immediate = setImmediate(late)
  }, limitMs)
  try {
    return await Promise.race([question, promise])
  } finally {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
