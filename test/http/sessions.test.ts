import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { SignJWT } from 'jose'
import t from 'tap'
import type { Principal } from '../../kernel/identity/ownership.ts'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { provider, signer } from '../identity-provider.ts'
import { probe, probeFolder } from './probe.ts'
import { refused } from './refused.ts'

type Headers = Record<string, string>

const folders = [await probeFolder(t)]
const booted = await boot(t, 'goals', 'console', 'probe', { folders })
const { as, anyone, platform, url } = booted
const { host } = new URL(url)
const ada = as('ada')

/** A session of the client's principal, as the value of its cookie. */
async function sessionOf(client: Client, { platform }: Pick<Booted, 'platform'> = booted, seconds = 60) {
  const grant = await platform.credentials.resolve(await client.key())
  return platform.credentials.mint(grant?.principal as Principal, null, seconds)
}
const cookieOf = (token: string) => `agent-platform=${token}`
const { token } = await sessionOf(ada)
const cookie = cookieOf(token)
const own = { cookie, 'sec-fetch-site': 'same-origin' }
const put = (headers: Headers) => anyone.put('/v1/probe/both', {}, headers)
const crossOrigin = { status: 403, body: { error: { code: 'cross_origin', type: 'permission_error' } } }

t.test('a cookie stands for the header, in requests of the platform’s own pages', async (t) => {
  t.match(await anyone.get('/v1/auth/me', own), { status: 200, body: { data: { principalId: 'ada' } } })
  t.match(await put(own), { status: 200, body: { data: { principal: 'ada' } } })
  t.equal(
    (await anyone.get('/v1/auth/me', { cookie, 'sec-fetch-site': 'none' })).status,
    200,
    'typed by its user'
  )
  t.equal(
    (await anyone.get('/v1/auth/me', { cookie })).status,
    200,
    'of a browser that does not say where from'
  )
  for (const origin of [`http://${host}`, `HTTP://${host.toUpperCase()}`, 'http://127.0.0.1:0'])
    t.equal((await put({ cookie, origin })).status, 200, `${origin}, also that of BASE_URL`)
  t.equal((await anyone.get('/v1/auth/me')).status, 401)
})

t.test('what others send is refused, before anything is done', async (t) => {
  const others: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'Same-Origin' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    { origin: 'http://evil.example' },
    { origin: `http://${host}.evil.example` },
    { origin: `http://evil.example@${host}:80` },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://127.0.0.1:1' },
    { origin: `file://${host}` },
    {}
  ]
  for (const headers of others)
    t.match(await put({ cookie, ...headers }), crossOrigin, JSON.stringify(headers))
  const reading = others.filter(
    ({ origin, 'sec-fetch-site': site }) => site !== 'none' && (site ?? origin) !== undefined
  )
  for (const headers of reading)
    t.match(await anyone.get('/v1/auth/me', { cookie, ...headers }), crossOrigin, JSON.stringify(headers))
})

t.test('a header comes first, and the cookie is not looked at', async (t) => {
  const evil = { cookie, 'sec-fetch-site': 'cross-site' }
  t.match(await as('bob').get('/v1/auth/me', evil), { status: 200, body: { data: { principalId: 'bob' } } })
  refused(t, await anyone.get('/v1/auth/me', { ...own, authorization: 'Bearer nonsense' }), 401)
  refused(t, await anyone.get('/v1/auth/me', { ...own, authorization: '' }), 401)
  t.match(await anyone.get('/v1/auth/me', { authorization: `Bearer ${token}` }), { status: 200 })
})

t.test('what is no cookie of a session is none', async (t) => {
  const { token: other } = await sessionOf(as('bob'))
  for (const none of [
    `${cookie}; ${cookieOf(other)}`,
    `${cookie}; ${cookie}`,
    `__Host-${cookie}`,
    `x${cookie}`,
    `Agent-Platform=${token}`,
    `agent-platform="${token}"`,
    `agent-platform=${token.slice(0, -1)}`,
    `agent-platform=${token}x`,
    `agent-platform=${'a'.repeat(8_000)}`,
    `agent-platform=Bearer ${token}`,
    `agent-platform=${await ada.key()}`,
    'agent-platform=',
    'agent-platform',
    `=${token}`,
    ';;;='
  ]) {
    const reply = await anyone.get('/v1/auth/me', { ...own, cookie: none })
    refused(t, reply, 401)
    t.notMatch(reply.text, token.slice(10, 30))
  }
  for (const one of [`a=b; ${cookie};c`, `a="; ${cookie}`, ` agent-platform = ${token} `])
    t.equal((await anyone.get('/v1/auth/me', { ...own, cookie: one })).status, 200, one)
})

t.test('where nothing is needed a cookie refuses nothing', async (t) => {
  const who = async (headers: Headers) =>
    (await anyone.get('/console/session', headers)).body.data?.principal?.id
  t.equal(await who(own), 'ada')
  t.equal(await who({ cookie, 'sec-fetch-site': 'cross-site' }), undefined)
  t.equal(await who({ ...own, cookie: cookieOf(`${token.slice(0, -1)}_`) }), undefined)
  t.equal((await anyone.get('/v1/probe/public', { cookie, 'sec-fetch-site': 'cross-site' })).status, 200)
})

t.test('nobody is signed in or out by a page of another origin', async (t) => {
  const bearer = { authorization: `Bearer ${await ada.key()}` }
  const others: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' }
  ]
  for (const evil of others) {
    t.match(await anyone.post('/console/session', {}, { ...bearer, ...evil }), crossOrigin)
    t.match(await anyone.post('/console/session', { code: 'x' }, evil), crossOrigin)
    t.match(await anyone.delete('/console/session', { cookie, ...evil }), crossOrigin)
  }
  t.equal((await anyone.get('/v1/auth/me', own)).status, 200)
})

/** Asks for a socket; what is answered, and the socket. */
async function upgrade(headers: Headers): Promise<{ status: number | undefined; socket?: Socket }> {
  const asked = request(`${url}/v1/probe/socket`, {
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers }
  }).end()
  const { promise, resolve } = Promise.withResolvers<{ status: number | undefined; socket?: Socket }>()
  asked.on('error', () => resolve({ status: undefined }))
  asked.on('upgrade', ({ statusCode: status }, socket: Socket) => resolve({ status, socket }))
  asked.on('response', (reply) => resolve({ status: reply.resume().statusCode }))
  return promise
}

t.test('sockets name their origin, and end with the session', async (t) => {
  const { token, id } = await sessionOf(ada)
  const cookie = cookieOf(token)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://evil.example' },
    { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
    { origin: `http://${host}`, 'sec-fetch-site': 'none' }
  ])
    t.equal((await upgrade({ cookie, ...(headers as Headers) })).status, 403, JSON.stringify(headers))
  t.equal((await upgrade({ origin: `http://${host}` })).status, 401)
  for (const more of [{}, { 'sec-fetch-site': 'same-origin' }]) {
    const opened = once(probe, 'opened')
    const { status, socket } = await upgrade({ cookie, origin: `http://${host}`, ...(more as Headers) })
    t.equal(status, 101)
    await opened
    if (Object.keys(more).length === 0) {
      socket?.destroy()
      continue
    }
    const closed = once(socket as Socket, 'close')
    await platform.credentials.revoke(id)
    await closed
  }
  t.equal((await upgrade({ cookie, origin: `http://${host}` })).status, 401)
})

t.test('streams and sockets end when the session does', async (t) => {
  const { token, expiresAt } = await sessionOf(ada, booted, 5)
  const mine = { ...own, cookie: cookieOf(token) }
  const opened = once(probe, 'opened')
  const { socket } = await upgrade({ ...mine, origin: `http://${host}` })
  await opened
  const closed = once(socket as Socket, 'close')
  const stream = await fetch(`${url}/console/changes`, { headers: mine })
  t.match(await stream.text(), /^event: packs\n/, 'it ends by itself')
  await closed
  t.ok(Date.now() >= Date.parse(expiresAt) - 5)
  t.equal((await anyone.get('/v1/auth/me', mine)).status, 401)
})

t.test('over HTTPS the cookie is one that no other host can set', async (t) => {
  const secure = await boot(t, 'console', {
    beside: booted,
    env: { BASE_URL: 'https://platform.example/team' }
  })
  const reply = await secure.as('ada').post('/console/session', {})
  const set = reply.headers.get('set-cookie') ?? ''
  t.match(set, /^__Host-agent-platform=apt_\w+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  const { token } = await sessionOf(secure.as('ada'), secure)
  const me = (headers: Headers) => secure.anyone.get('/v1/auth/me', headers)
  t.equal((await me({ ...own, cookie: cookieOf(token) })).status, 401, 'which any host of the domain could')
  const cookie = `__Host-agent-platform=${token}`
  t.equal((await me({ ...own, cookie })).status, 200)
  t.equal((await me({ cookie, origin: 'https://platform.example' })).status, 200)
  const over = new URL(secure.url).host
  t.match(await me({ cookie, origin: `http://${over}` }), crossOrigin, 'a page that came over plain HTTP')
  t.equal((await me({ cookie, origin: `https://${over}` })).status, 200)
})

t.test('a session of a person’s access token may what that may, and ends with it', async (t) => {
  const key = await signer('ES256')
  const { issuer } = await provider(t, [key.jwk])
  const BASE_URL = 'http://agents.example'
  const { anyone, platform } = await boot(t, 'goals', { beside: booted, env: { AUTH_URL: issuer, BASE_URL } })
  const ends = Math.floor(Date.now() / 1_000) + 300
  const jwt = await new SignJWT({ iss: issuer, aud: BASE_URL, sub: 'eve', exp: ends, scope: 'agents:read' })
    .setProtectedHeader({ alg: key.alg, kid: key.kid as string, typ: 'at+jwt' })
    .sign(key.privateKey)
  const by = (await platform.credentials.resolve(jwt))?.principal as Principal
  const { token, expiresAt } = await platform.credentials.mint(by, null, 3_600)
  t.equal(Date.parse(expiresAt), (ends + 30) * 1_000)
  const mine = { ...own, cookie: cookieOf(token) }
  t.match((await anyone.get('/v1/auth/me', mine)).body.data, {
    principalId: 'eve',
    scopes: ['agents:read'],
    narrowed: false
  })
  t.equal((await anyone.get('/v1/goals', mine)).status, 200, 'ownership decides')
  const { data } = (await anyone.post('/v1/auth/api-keys', { name: 'x' }, mine)).body
  t.same(data.scopes, ['agents:read'], 'and it hands on no more')
  const again = (await platform.credentials.resolve(token))?.principal as Principal
  const { token: third } = await platform.credentials.mint(again, null, 3_600)
  t.match(await platform.credentials.resolve(third), {
    principal: { narrowed: false, scopes: new Set(['agents:read']) }
  })
})

t.test('where authentication is off there is nothing to sign in to', async (t) => {
  const { anyone } = await boot(t, 'console', { env: { API_AUTH_REQUIRED: 'false' } })
  const reply = await anyone.post('/console/session', {})
  t.match(reply, { status: 201, body: { data: { principal: { id: 'local' } } } })
  t.equal(reply.headers.get('set-cookie'), null)
  t.match(await anyone.post('/console/links'), {
    status: 201,
    body: { data: { url: 'http://127.0.0.1:0/console', expiresAt: null } }
  })
  t.match(await anyone.get('/v1/auth/me', { cookie }), {
    status: 200,
    body: { data: { principalId: 'local' } }
  })
  t.equal((await anyone.delete('/console/session')).status, 200)
  t.equal((await anyone.get('/v1/auth/me')).status, 200)
})
