import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { Duplex } from 'node:stream'

const CALL_MS = 10_000
/** Of an answer: a list of all containers of a large machine is a part of it. */
const MOST_ANSWER = 8_388_608
const MOST_MESSAGE = 500

/** What the daemon answered in place of what was asked for; `status` is 0 where it did not answer. */
export interface DaemonError extends Error {
  readonly status: number
}
interface Question {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly ms?: number
}

export interface Daemon {
  /** The answer, read as JSON; undefined for an empty one. Rejects with a `DaemonError`. */
  ask<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, question?: Question): Promise<T>
  /** The same, of one that answers in lines of JSON, the last ones of which are an error where it did not work. */
  follow(path: string, question: Question): Promise<void>
  /** Standard input and output of a container, both ways on one connection: see `demultiplex`. */
  attach(id: string): Promise<Duplex>
}

export const statusOf = (error: unknown): number | undefined => (error as Partial<DaemonError>).status
const failure = (status: number, message: string): DaemonError =>
  Object.assign(new Error(message.trim().slice(0, MOST_MESSAGE)), { status })

/** A Docker daemon, or Podman's service in its place, behind a socket of this machine. No version is named: what is asked is in all. */
export function createDaemon(socketPath: string): Daemon {
  function begin(method: string, path: string, { query, body, ms = CALL_MS }: Question, headers = {}) {
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const text = body && JSON.stringify(body)
    const asked = httpRequest({
      socketPath,
      method,
      path: path + search,
      // One that was kept would be of a daemon that has ended since.
      agent: false,
      headers: {
        host: 'docker',
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers
      }
    })
    const timer = setTimeout(
      () => asked.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      ms
    )
    asked.once('close', () => clearTimeout(timer))
    asked.end(text)
    return { asked, settle: () => clearTimeout(timer) }
  }

  const away = ({ code, message }: NodeJS.ErrnoException): DaemonError =>
    failure(0, `the daemon at ${socketPath} does not answer (${code ?? message})`)

  async function answerOf(asked: ClientRequest): Promise<string> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve)
      asked.on('error', (error) => reject(away(error)))
    })
    return textOf(answer)
  }

  async function textOf(answer: IncomingMessage): Promise<string> {
    let text = ''
    try {
      for await (const part of answer.setEncoding('utf8')) {
        text += part
        if (text.length > MOST_ANSWER) throw new Error('its answer is too long')
      }
    } catch (error) {
      throw away(error as Error)
    }
    const { statusCode: status = 500 } = answer
    if (status < 400) return text
    throw failure(status, (read(text) as { message?: string } | undefined)?.message ?? `it answers ${status}`)
  }

  return {
    async ask<T>(method: string, path: string, question: Question = {}): Promise<T> {
      return read(await answerOf(begin(method, path, question).asked)) as T
    },
    async follow(path, question) {
      const lines = (await answerOf(begin('POST', path, question).asked)).split('\n')
      const failed = lines.map((line) => (read(line) as { error?: string } | undefined)?.error).find(Boolean)
      if (failed) throw failure(500, failed)
    },
    attach(id) {
      const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1' }
      const path = `/containers/${id}/attach`
      const { asked, settle } = begin('POST', path, { query }, { connection: 'Upgrade', upgrade: 'tcp' })
      return new Promise((resolve, reject) => {
        asked.once('upgrade', (_answer, socket, head) => {
          settle()
          if (head.length > 0) socket.unshift(head)
          resolve(socket)
        })
        asked.once('response', (answer) => {
          const refuse = () => reject(failure(answer.statusCode ?? 500, 'it does not attach'))
          textOf(answer).then(refuse, reject)
        })
        asked.on('error', (error) => reject(away(error)))
      })
    }
  }
}

/** Undefined for what is no JSON, such as the `OK` of a ping. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
