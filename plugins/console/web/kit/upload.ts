import { createClient } from 'agent-platform-client'
import { baseUrl } from './api.ts'

/** A client whose calls tell how much of their body has been sent, from 0 to 1: what `fetch` cannot. */
export const uploadingApi = (onProgress: (sent: number) => void) =>
  createClient({ baseUrl, fetch: async (input, init) => send(new Request(input, init), onProgress) })

async function send(request: Request, onProgress: (sent: number) => void): Promise<Response> {
  const body = await request.blob()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const sending = new XMLHttpRequest()
  sending.open(request.method, request.url)
  for (const [name, value] of request.headers) sending.setRequestHeader(name, value)
  sending.responseType = 'blob'
  sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1)
  sending.onload = () => resolve(new Response(sending.response, replyOf(sending)))
  sending.onerror = () => reject(new TypeError('the upload broke off'))
  sending.onabort = () => reject(request.signal.reason)
  request.signal.addEventListener('abort', () => sending.abort())
  sending.send(body)
  return promise
}

function replyOf(sent: XMLHttpRequest): ResponseInit {
  const lines = sent.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at), line.slice(at + 1).trim()]
  })
  return { status: sent.status, headers }
}
