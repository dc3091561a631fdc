import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import type { Reply } from '../client.ts'

/** Where an API server is, and who asks. */
export interface Access {
  readonly url: string
  readonly ca: string
  readonly token?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}
/** An object of Kubernetes, into which tests look as they do into replies. */
export type Thing = Reply['body']

/** An API server as tests and the stand-in of a node ask it: with none of the code that is tested. */
export function createKubernetesClient({ url, token, ...tls }: Access) {
  const begin = (method: string, path: string, body?: object, type = 'application/json'): ClientRequest => {
    const text = body && JSON.stringify(body)
    const asked = request(new URL(path, url), {
      method,
      ...tls,
      agent: false,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(text && { 'content-type': type, 'content-length': Buffer.byteLength(text) })
      }
    })
    asked.end(text)
    return asked
  }

  async function call(method: string, path: string, body?: object, type?: string) {
    const asked = begin(method, path, body, type)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve)
      asked.once('error', reject)
    })
    return { status: answer.statusCode ?? 0, body: (await json(answer)) as Thing }
  }

  return {
    call,
    get: async (path: string): Promise<Thing> => (await call('GET', path)).body,
    post: (path: string, body: object) => call('POST', path, body),
    patch: (path: string, body: object) => call('PATCH', path, body, 'application/merge-patch+json'),
    delete: (path: string, body?: object) => call('DELETE', path, body),

    /** Hears of everything that is there and of each change, until the signal. */
    watch(path: string, hear: (type: string, object: Thing) => void, signal: AbortSignal): void {
      if (signal.aborted) return
      const asked = begin('GET', `${path}?watch=1`)
      signal.addEventListener('abort', () => asked.destroy())
      let text = ''
      const again = () => {
        if (!signal.aborted) setTimeout(() => this.watch(path, hear, signal), 100).unref()
      }
      asked.on('error', again)
      asked.on('response', (answer) => {
        answer.setEncoding('utf8').on('data', (part) => {
          const lines = (text + part).split('\n')
          text = lines.pop() ?? ''
          for (const line of lines) {
            const { type, object } = JSON.parse(line)
            hear(type, object)
          }
        })
        answer.on('error', () => undefined)
        answer.on('close', again)
      })
    }
  }
}
export type KubernetesClient = ReturnType<typeof createKubernetesClient>
