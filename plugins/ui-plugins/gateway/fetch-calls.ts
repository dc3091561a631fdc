import type { Kernel } from 'agent-platform'
import { forbidden, invalid, unavailable, upstreamFailed } from 'agent-platform'
import { permitsHost } from 'agent-platform-app/grants'
import { isHostWithin } from 'agent-platform-app/manifest'
import type { RequestInit, Response } from 'undici'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { ConnectionUses } from '../connections/connection-uses.ts'
import type { Connections, OpenedConnection } from '../connections/connections.ts'
import type { Installation } from '../contract.ts'
import type { Meter } from '../logs/meter.ts'
import type { UiPluginSettings } from '../settings.ts'
import type { Asking } from './asking.ts'
import type { FetchReply } from './fetch-reply.ts'
import { readReply } from './fetch-reply.ts'
import type { FetchRequest } from './fetch-request.ts'
import { isSettable, readFetchCall } from './fetch-request.ts'

export type FetchCalls = ReturnType<typeof createFetchCalls>

interface Deps extends Pick<Kernel, 'platform'> {
  settings: UiPluginSettings
  outgoing: Outgoing
  tools: Tools | undefined
  connections: Connections
  connectionUses: ConnectionUses
  meter: Meter
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** What goes along to another origin: nothing that could be a secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

type Hop = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'body'>

/** `fetch` of apps: to hosts that they declare and were granted, each address of a redirect anew. */
export function createFetchCalls(deps: Deps) {
  const { platform, settings, outgoing, tools, connections, connectionUses, meter } = deps

  async function call(app: Installation, asking: Asking, params: unknown): Promise<FetchReply> {
    const request = readFetchCall(params, settings.fetchRequestBytes)
    const host = admit(app, request.url)
    const { connection } = request
    const opened = connection === undefined ? undefined : await connections.open(app, connection, host)
    if (opened && !tools)
      throw unavailable('Keys of connections are not sent while the pack tools is off', {
        code: 'capability_missing'
      })
    const count = (egressBytes: number) => meter.add(app, asking, { egressBytes })
    meter.add(app, asking, { egressCalls: 1, egressBytes: request.body?.length ?? 0 })
    try {
      const reply = await exchange(app, request, opened, asking.signal, count)
      const failure = reply.status === 401 || reply.status === 403 ? `status ${reply.status}` : null
      if (connection !== undefined) connectionUses.note(app, connection, failure)
      return reply
    } catch (error) {
      const code = String((error as { code?: unknown } | null)?.code ?? 'unreachable')
      if (connection !== undefined && !asking.signal.aborted) connectionUses.note(app, connection, code)
      throw error
    }
  }

  /** The host with its port, where the app may send something there. */
  function admit({ grants, manifest }: Installation, { protocol, hostname, port }: URL): string {
    if (protocol !== 'https:' && !(protocol === 'http:' && settings.httpEgress))
      throw invalid('/params/url', 'Apps talk to hosts by https')
    const name = hostname.replace(/\.$/, '').toLowerCase()
    const number = Number(port || (protocol === 'https:' ? 443 : 80))
    const host = `${name}:${number}`
    // What was granted for another version is no more than this one asks for.
    const isDeclared = manifest.egress.some((it) => isHostWithin(host, it.host))
    if (isDeclared && permitsHost(grants, name, number)) return host
    throw forbidden(`${number === 443 ? name : host} was not granted to this app`, {
      code: 'host_not_granted'
    })
  }

  async function exchange(
    app: Installation,
    { redirect, ...request }: FetchRequest,
    opened: OpenedConnection | undefined,
    signal: AbortSignal,
    count: (bytes: number) => void
  ): Promise<FetchReply> {
    const endsAt = performance.now() + settings.fetchSeconds * 1_000
    const redactor = opened && tools?.redactor([opened.value])
    let hop: Hop = request
    let shown = opened
    for (let redirects = 0; ; redirects++) {
      const timeoutMs = Math.max(1, Math.round(endsAt - performance.now()))
      const order = { timeoutMs, signal, maxBytes: settings.fetchReplyBytes, redirect: 'manual' } as const
      const reply = await send(app, hop, shown, order)
      const value = reply.status === 401 ? await shown?.renew?.() : undefined
      if (shown && value !== undefined) {
        // Nothing was done: once more, with what has been renewed.
        redactor?.add(value)
        shown = { auth: shown.auth, value }
        await reply.body?.cancel()
        continue
      }
      const location = redirect === 'manual' ? undefined : locationOf(reply, hop.url)
      if (!location) {
        const bytes = Buffer.from(await reply.arrayBuffer())
        count(bytes.length)
        return readReply(reply, hop.url, bytes, redactor)
      }
      await reply.body?.cancel()
      if (redirect === 'error' || redirects === MAX_REDIRECTS) throw redirected(hop.url, 'redirects')
      // A key goes to its own hosts only, and an address that a server names may have it in itself.
      if (opened && location.origin !== hop.url.origin) throw redirected(hop.url, 'redirects a key elsewhere')
      if (opened?.auth.type === 'query') location.searchParams.delete(opened.auth.name ?? '')
      if (redactor && redactor.redact(location.href) !== location.href)
        throw redirected(hop.url, 'redirects to an address with the key in it')
      admit(app, location)
      hop = followed(hop, reply.status, location)
    }
  }

  function send(
    app: Installation,
    { url, method, headers, body }: Hop,
    opened: OpenedConnection | undefined,
    order: RequestInit
  ): Promise<Response> {
    const sent = { url: new URL(url), headers: new Headers(headers) }
    if (!sent.headers.has('user-agent'))
      sent.headers.set('user-agent', `agent-platform/${platform.version} (${app.pluginId})`)
    if (opened) inject(sent, opened)
    return outgoing.fetch(sent.url, { ...order, method, headers: [...sent.headers], ...(body && { body }) })
  }

  return { call }
}

function inject({ url, headers }: { url: URL; headers: Headers }, { auth, value }: OpenedConnection): void {
  const { type, name = '' } = auth
  if (type === 'query') url.searchParams.set(name, value)
  else if (type === 'bearer') headers.set('authorization', `Bearer ${value}`)
  else if (isSettable(name)) headers.set(name, value)
  else throw forbidden(`The header ${name} is not for apps to send`, { code: 'header_refused' })
}

function locationOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = REDIRECTS.has(status) ? headers.get('location') : null
  if (location === null) return undefined
  if (!URL.canParse(location, from.href)) throw redirected(from, 'redirects to no address')
  const url = new URL(location, from)
  if (url.username || url.password) throw redirected(from, 'redirects to no address')
  url.hash = ''
  return url
}

/** As the fetch standard has it, but with fewer headers. */
function followed(hop: Hop, status: number, url: URL): Hop {
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin)
    for (const name of hop.headers.keys()) if (!HARMLESS.has(name)) headers.delete(name)
  const isKept = status === 303 ? /^(GET|HEAD)$/.test(hop.method) : status > 303 || hop.method !== 'POST'
  if (isKept) return { ...hop, url, headers }
  for (const name of hop.headers.keys()) if (name.startsWith('content-')) headers.delete(name)
  return { url, headers, method: 'GET', body: undefined }
}

const redirected = ({ hostname }: URL, what: string) =>
  upstreamFailed(`${hostname} ${what}`, { code: 'redirected' })
