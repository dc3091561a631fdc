import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import type { BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { createClient } from '../../../test/client.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export const PASSWORD = 'correct horse battery'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const SCOPES = 'openid offline_access email agents:read agents:run agents:create platform:admin'

/** A platform whose own address, under which tokens are issued, is known before it listens. */
export async function identityOf(
  t: Scope,
  { host = '127.0.0.1', ...options }: BootOptions & { address?: string; host?: string } = {},
  ...beside: readonly string[]
) {
  let port = 0
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  t.teardown(() => way.close())
  const address = options.address ?? `http://${host}:${(way.address() as AddressInfo).port}`
  const booted = await boot(t, 'identity', ...beside, {
    ...options,
    env: { BASE_URL: address, ...options.env }
  })
  port = Number(new URL(booted.url).port)
  return { ...booted, admin: booted.admin, address }
}
export type Identity = Awaited<ReturnType<typeof identityOf>>

/** A form as a browser sends it, and what comes back, with the cookies that are there by then. */
export function browserOf({ address }: Pick<Identity, 'address'>, ...others: readonly string[]) {
  const jar = new Map<string, string>()
  let base = address
  /** Follows where it is sent, up to an address in which `before` stands. */
  async function go(
    url: string,
    form?: Record<string, string>,
    before?: string
  ): Promise<Response & { page: string }> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const at = new URL(url, base)
    // Of pages of another host, forms and redirections lead on there.
    if (others.includes(at.origin) || others.includes(base)) base = at.origin
    const reply = await fetch(at, {
      redirect: 'manual',
      headers: {
        cookie,
        accept: 'text/html',
        ...(form && { origin: at.origin, 'sec-fetch-site': 'same-origin' })
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) })
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/expires=Thu, 01 Jan 1970|Max-Age=0(?:;|$)/i.test(line)) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = reply.headers.get('location')
    const isOwn = [address, '/', ...others].some((start) => location?.startsWith(start))
    if (location && isOwn && !(before && location.includes(before))) return go(location, undefined, before)
    return Object.assign(reply, { page: await reply.text() })
  }
  return { go, jar }
}

/** Where a page's form is sent. */
export const actionOf = (page: string): string => /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? ''
export const inputOf = (page: string, name: string): string =>
  new RegExp(`name="${name}" (?:required )?(?:[a-z]+="[^"]*" )*value="([^"]*)"`).exec(page)?.[1] ?? ''

/** A person with an account, by an invitation of the operator. */
export async function personOf(identity: Identity, email: string, order: object = {}): Promise<void> {
  const { body, status } = await identity.admin.post('/v1/people/invitations', { email, ...order })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await accept(identity, body.data.url, email)
}
export async function accept(identity: Identity, url: string, email: string): Promise<string> {
  const { go } = browserOf(identity)
  const { page } = await go(url)
  const done = await go(actionOf(page), { name: email.split('@')[0] as string, password: PASSWORD })
  if (done.status !== 200) throw new Error(done.page)
  return done.page
}

export const post = async (url: string, form: Record<string, string>) => {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  // biome-ignore lint/suspicious/noExplicitAny: replies of OAuth, of every shape
  return { status: reply.status, body: (await reply.json().catch(() => ({}))) as any }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
  readonly expires_in: number
}

type Browser = ReturnType<typeof browserOf>

/** Says in that browser that the code of a program is its own; the page that it is shown then. */
export async function approve({ go }: Pick<Browser, 'go'>, begun: { verification_uri_complete: string }) {
  const { page: entry } = await go(begun.verification_uri_complete)
  const { page: question } = await go(actionOf(entry), {
    xsrf: inputOf(entry, 'xsrf'),
    user_code: inputOf(entry, 'user_code')
  })
  const code = { xsrf: inputOf(question, 'xsrf'), user_code: inputOf(question, 'user_code') }
  return (await go(actionOf(question), { ...code, confirm: 'yes' })).page
}

/** Signs in by the device flow, as a person does who answers every page. */
export async function tokensOf(
  identity: Identity,
  email: string,
  {
    scope = SCOPES,
    project,
    browser = browserOf(identity)
  }: { scope?: string; project?: string; browser?: Browser } = {}
): Promise<Tokens> {
  const { address } = identity
  const client = { client_id: 'platform-cli' }
  const begun = await post(`${address}/identity/device-authorization`, { ...client, scope })
  const { go } = browser
  const login = await approve(browser, begun.body)
  const { page: consent } = await go(actionOf(login), { email, password: PASSWORD })
  const first = /<option value="([^"]+)"/.exec(consent)?.[1] ?? ''
  const done = await go(actionOf(consent), { decision: 'allow', project: project ?? first })
  if (!done.page.includes('is connected')) throw new Error(`${done.status} ${done.page}`)
  const { body } = await post(`${address}/identity/token`, {
    ...client,
    grant_type: DEVICE,
    device_code: begun.body.device_code
  })
  if (!body.access_token) throw new Error(JSON.stringify(body))
  return body
}

export const refresh = ({ address }: Identity, token: string, more: Record<string, string> = {}) =>
  post(`${address}/identity/token`, {
    client_id: 'platform-cli',
    grant_type: 'refresh_token',
    refresh_token: token,
    ...more
  })

export const clientOf = ({ url }: Identity, { access_token: token }: Pick<Tokens, 'access_token'>): Client =>
  createClient(url, 'person', token)

/** A person who has an account and signed in. */
export async function signedIn(identity: Identity, email: string, order: object = {}) {
  await personOf(identity, email, order)
  const tokens = await tokensOf(identity, email)
  const client = clientOf(identity, tokens)
  const { body } = await client.get('/v1/auth/me')
  return { client, tokens, id: body.data.principalId as string, project: body.data.project as string }
}

/** Does now what a queue of the pack does at its times. */
export async function runJob({ platform }: Identity, queue: string): Promise<void> {
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === queue)
  await worker?.value.work({}, new AbortController().signal)
}

export const BEGIN = '/console/sign-in/identity'
export const BACK = `${BEGIN}/callback`

/** Goes through all pages up to where the browser would come back to the console. */
export async function signInBefore(
  identity: Identity,
  email: string,
  more = '',
  browser = browserOf(identity)
) {
  const reply = await browser.go(`${BEGIN}${more}`, undefined, BACK)
  const done = reply.page.includes('/sign-in"')
    ? await browser.go(actionOf(reply.page), { email, password: PASSWORD }, BACK)
    : reply
  return { ...browser, reply: done, back: done.headers.get('location') ?? '' }
}
/** The console as that browser's pages ask it. */
export const sessionOf = async ({ address }: Identity, jar: ReadonlyMap<string, string>) => {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
  const ask = async (path: string, method = 'GET', sent?: object) => {
    const headers = {
      cookie,
      'sec-fetch-site': 'same-origin',
      ...(sent && { 'content-type': 'application/json' })
    }
    const reply = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(sent && { body: JSON.stringify(sent) })
    })
    // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
    return { status: reply.status, body: (await reply.json().catch(() => ({}))) as any }
  }
  return { ask, who: (await ask('/console/session')).body.data.principal }
}

/** A person in a browser that has signed in to the console. */
export async function inConsole(identity: Identity, email: string) {
  const { go, jar, back } = await signInBefore(identity, email)
  await go(back, undefined, '/console/')
  return { go, jar, ...(await sessionOf(identity, jar)) }
}
