import { Socket } from 'node:net'
import pg from 'pg'
import { DeadlineExceeded, within } from './deadline.ts'

/** One connection of its own, which ends when a question waits longer than a second. */
export interface Session {
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** Resolves when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>
  /** Takes leave of the server, which frees its locks at once; cuts the connection when it does not answer. */
  end(): Promise<void>
  /** Cuts the connection. */
  destroy(): void
}

const timeoutMs = 1_000

/** Opens a session; rejects when the server cannot be reached, or does not answer within two seconds. */
export async function openSession(
  connection: pg.ClientConfig,
  hear: (channel: string, payload: string) => void
): Promise<Session> {
  const socket = new Socket()
  const client = new pg.Client({ ...connection, keepAlive: true, stream: () => socket })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  const destroy = () => void socket.destroy()
  // Whatever goes wrong also rejects the question under way and ends the client.
  client.on('error', destroy)
  client.on('notification', ({ channel, payload = '' }) => hear(channel, payload))

  const answered = <T>(ms: number, answer: Promise<T>) =>
    within(ms, answer).catch((error) => {
      if (error instanceof DeadlineExceeded) destroy()
      throw error
    })
  await answered(2 * timeoutMs, client.connect()).catch((error) => {
    destroy()
    throw error
  })
  let before: Promise<unknown> = Promise.resolve()
  return {
    ended,
    // One after the other: a client takes one question at a time.
    async query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const answer = before.then(() => client.query<R>(text, [...values]))
      before = answer.catch(() => undefined)
      return (await answered(timeoutMs, answer)).rows
    },
    end: () => answered(timeoutMs, client.end()).catch(() => undefined),
    destroy
  }
}
