/** A reply, with its body parsed where it is JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
  readonly text: string
}
type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface Client {
  /** The principal's id. */
  readonly id: string
  key(): Promise<string>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
  readonly post: Send
  readonly put: Send
  readonly patch: Send
  request(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array | ReadableStream; headers?: Record<string, string> }
  ): Promise<Reply>
  /** An agent of this principal. */
  agent(fields?: object): Promise<{ id: string; version: number }>
}

/** Calls a platform as one principal, or as nobody. */
export function createClient(url: string, id: string, key?: string | Promise<string>): Client {
  // One that could not be made fails the client's requests, and nothing where it sends none.
  if (key instanceof Promise) key.catch(() => undefined)
  const request: Client['request'] = async (method, path, { body, headers } = {}) => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${await key}` }
    const reply = await fetch(url + path, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body, duplex: 'half' })
    } as RequestInit)
    const text = await reply.text()
    const isJson = /json/.test(reply.headers.get('content-type') ?? '')
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined
    }
  }
  const send =
    (method: string): Send =>
    (path, body, headers) =>
      request(method, path, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
      })
  const post = send('POST')
  return {
    id,
    key: async () => (await key) ?? '',
    request,
    get: (path, headers) => request('GET', path, { ...(headers && { headers }) }),
    delete: (path, headers) => request('DELETE', path, { ...(headers && { headers }) }),
    post,
    put: send('PUT'),
    patch: send('PATCH'),
    async agent(fields = {}) {
      const { status, body } = await post('/v1/agents', { name: `Agent of ${id}`, ...fields })
      if (status !== 201) throw new Error(`No agent: ${status} ${JSON.stringify(body)}`)
      return body.data
    }
  }
}
