import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { WebSocket } from 'ws'
import type { Cluster } from './cluster.ts'
import { readCluster } from './cluster.ts'

const CALL_MS = 10_000
const CONNECT_MS = 15_000
/** Of an answer: a page of a list is a part of it. */
const MOST_ANSWER = 8_388_608
const MOST_MESSAGE = 500
/** Of a message of a stream, of which API servers send much less. */
const MOST_PIECE = 1_048_576
/** The subprotocol of streams that every version knows. */
const CHANNELS = 'v4.channel.k8s.io'

/** What the API server answered in place of what was asked for; `status` is 0 where it did not answer. */
export interface ApiError extends Error {
  readonly status: number
}
export const statusOf = (error: unknown): number | undefined => (error as Partial<ApiError>).status
const failure = (status: number, message: string): ApiError =>
  Object.assign(new Error(message.trim().slice(0, MOST_MESSAGE)), { status })

interface Question {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** How a change is written. */
  readonly type?: string
  readonly accept?: string
  readonly ms?: number
}
export interface Api {
  /** The answer, read as JSON. Rejects with an `ApiError`. */
  ask<T = unknown>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, question?: Question): Promise<T>
  /** A stream of a pod: see `channelsOf`. */
  connect(path: string, query: URLSearchParams): Promise<WebSocket>
}

/**
 * The API of a cluster, by the path of a kubeconfig or `in-cluster`. It is read at the first call, and again after a call that was
 * refused or not answered, as another may be written there meanwhile.
 */
export function createApi(where: string): Api {
  let known: Promise<Cluster> | undefined

  async function cluster(): Promise<Cluster> {
    known ??= readCluster(where)
    try {
      return await known
    } catch (error) {
      known = undefined
      throw failure(0, (error as Error).message)
    }
  }
  const away = ({ host }: URL, { code, message }: NodeJS.ErrnoException): ApiError => {
    known = undefined
    return failure(0, `the API server at ${host} does not answer (${code ?? message})`)
  }
  async function given(more: Readonly<Record<string, string>> = {}) {
    const { url, tls, token } = await cluster()
    let bearer: string | undefined
    try {
      bearer = await token()
    } catch (error) {
      throw failure(0, (error as Error).message)
    }
    return { url, tls, headers: { ...more, ...(bearer && { authorization: `Bearer ${bearer}` }) } }
  }

  function refused(status: number, text: string): ApiError {
    if (status === 401) known = undefined
    const told = (read(text) as { message?: unknown } | undefined)?.message
    return failure(status, typeof told === 'string' ? told : `the API server answers ${status}`)
  }

  return {
    async ask<T>(method: string, path: string, question: Question = {}): Promise<T> {
      const { query, body, type = 'application/json', accept = 'application/json', ms = CALL_MS } = question
      const text = body && JSON.stringify(body)
      const { url, tls, headers } = await given({
        accept,
        ...(text && { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) })
      })
      const target = at(url, path, new URLSearchParams(query))
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const asked: ClientRequest = send(target, { method, headers, ...tls })
      const timer = setTimeout(
        () => asked.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
        ms
      )
      try {
        asked.end(text)
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          asked.once('response', resolve)
          asked.on('error', reject)
        })
        const said = await textOf(answer)
        const { statusCode: status = 500 } = answer
        if (status >= 400) throw refused(status, said)
        const value = read(said)
        if (typeof value !== 'object' || value === null) throw failure(0, 'the API server answers no JSON')
        return value as T
      } catch (error) {
        throw statusOf(error) === undefined ? away(url, error as Error) : error
      } finally {
        clearTimeout(timer)
        asked.destroy()
      }
    },

    async connect(path, query) {
      const { url, tls, headers } = await given()
      const target = at(url, path, query)
      target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      const socket = new WebSocket(target, [CHANNELS], {
        ...tls,
        headers,
        maxPayload: MOST_PIECE,
        perMessageDeflate: false,
        followRedirects: false,
        handshakeTimeout: CONNECT_MS
      })
      return new Promise((resolve, reject) => {
        socket.once('open', () => resolve(socket))
        socket.once('unexpected-response', (_asked, answer) => {
          const { statusCode = 500 } = answer
          textOf(answer).then(
            (text) => reject(refused(statusCode, text)),
            () => reject(refused(statusCode, ''))
          )
        })
        // Whoever has it hears of its end.
        socket.on('error', (error) => reject(away(url, error)))
      })
    }
  }
}

function at(url: URL, path: string, query: URLSearchParams): URL {
  const target = new URL(url.pathname.replace(/\/$/, '') + path, url)
  target.search = String(query)
  return target
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) {
    text += part
    if (text.length > MOST_ANSWER) throw new Error('its answer is too long')
  }
  return text
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
