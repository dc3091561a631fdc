import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A platform that forwards to `url`. */
export const forwarding = (t: Scope, url: string, settings: object = {}, options: BootOptions = {}) =>
  boot(t, {
    packs: ['access', 'packs', 'compute'],
    env: { COMPUTE_URL: url },
    deployment: { packs: packsOf(settings) },
    ...options
  })

const packsOf = (settings: object) => ({
  access: { enabled: true },
  packs: { enabled: true },
  compute: { enabled: true, settings }
})

/** Begins a request as that user, with the path as it is written here. */
export async function begin(
  { url, as }: Booted,
  { path, headers, ...options }: RequestOptions & { path: string },
  user = 'ada'
) {
  const { hostname, port } = new URL(url)
  const authorization = `Bearer ${await as(user).key()}`
  return open({ hostname, port, path, headers: { authorization, ...headers }, ...options })
}

export interface RawReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Ends it and reads the whole reply. */
export async function complete(
  request: Awaited<ReturnType<typeof begin>>,
  body?: string | Buffer
): Promise<RawReply> {
  request.end(body)
  const [reply]: [IncomingMessage] = (await once(request, 'response')) as never
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) }
}
