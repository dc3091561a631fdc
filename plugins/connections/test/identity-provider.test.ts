import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import t from 'tap'
import { CLIENT, direct, endsIn, stage } from './testbed.ts'

/** A real provider: rotates refresh tokens and takes none of them twice, needs PKCE, and says who it is (RFC 9207). */
async function identityProvider(t: { teardown(work: () => unknown): unknown }) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const redirects: string[] = []
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: 'secret-of-the-platform',
        redirect_uris: ['http://127.0.0.1:3000/v1/oauth/callback/real'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic'
      }
    ],
    findAccount: (_, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com` })
    }),
    claims: { openid: ['sub'], email: ['email'] },
    scopes: ['openid', 'offline_access', 'email'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    issueRefreshToken: async () => true,
    cookies: { keys: ['for this test'] },
    ttl: { AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 3_600 },
    clientBasedCORS: () => false
  })
  const registered = provider.Client.find.bind(provider.Client)
  // The platform of a test learns its port late.
  provider.Client.find = async (id: string) => {
    const client = await registered(id)
    if (client) Object.assign(client, { redirectUris: redirects })
    return client
  }
  server.on('request', provider.callback())
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { issuer, host: `127.0.0.1:${port}`, redirects }
}

/** Follows redirects and fills forms as a person does who agrees to everything; gives where that led. */
async function agree(url: string, callback: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [at, method, body] = [url, 'GET', undefined as string | undefined]
  for (let step = 0; step < 20; step++) {
    if (at.startsWith(callback)) return at
    const reply = await fetch(at, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/x-www-form-urlencoded' })
      },
      ...(body && { body })
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = reply.headers.get('location')
    const page = await reply.text()
    if (location) [at, method, body] = [new URL(location, at).href, 'GET', undefined]
    else {
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      const action = /action="([^"]+)"/.exec(page)?.[1]
      if (!prompt || !action) throw new Error(`${reply.status} ${at}: ${page.slice(0, 500)}`)
      const fields = { prompt, ...(prompt === 'login' && { login: 'ada', password: 'any' }) }
      ;[at, method, body] = [new URL(action, at).href, 'POST', new URLSearchParams(fields).toString()]
    }
  }
  throw new Error('it leads nowhere')
}

t.test('a connection to a real provider', async (t) => {
  const there = await identityProvider(t)
  const { issuer } = there
  const booted = await stage(t, [
    {
      key: 'real',
      name: 'Real',
      clientId: CLIENT.id,
      clientSecret: 'secret-of-the-platform',
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      issuer,
      sendsIssuer: true,
      hosts: [there.host],
      scopes: ['openid', 'offline_access', 'email'].map((name) => ({
        name,
        description: name,
        isDefault: true
      })),
      params: { prompt: 'consent' },
      account: { url: `${issuer}/me`, label: ['/email'], id: ['/sub'] },
      revocation: { url: `${issuer}/token/revocation`, style: 'rfc7009' }
    }
  ])
  const ada = booted.as('ada')
  const callback = (await ada.get('/v1/oauth/providers/real')).body.data.callbackUrl
  there.redirects.push(callback)
  const asked = (await ada.post('/v1/oauth/connect', { providerKey: 'real' })).body.data
  const back = new URL(await agree(asked.authorizationUrl, callback))
  t.equal(back.searchParams.get('iss'), issuer)
  const page = await booted.anyone.get(back.pathname + back.search)
  t.match(page.text, /Real is connected.*ada@example\.com/s)
  const id = asked.connectionId
  const path = `/v1/oauth/connections/${id}`
  t.match((await ada.get(path)).body.data, {
    status: 'active',
    account: 'ada@example.com',
    scopes: ['openid', 'offline_access', 'email']
  })
  t.match((await ada.get(`${path}/test`)).body.data, { ok: true, account: 'ada@example.com' })

  const { material: first } = await direct(booted).open(id)
  await endsIn(booted, id, -1)
  await direct(booted).forgotten(id)
  const all = await Promise.all(Array.from({ length: 20 }, () => direct(booted).open(id)))
  t.equal(new Set(all.map(({ material }) => material.accessToken)).size, 1)
  const { material: second } = await direct(booted).open(id)
  t.not(second.refreshToken, first.refreshToken, 'each is taken once')
  t.match((await ada.get(`${path}/test`)).body.data, { ok: true })

  const me = (token: string) => fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
  t.equal((await me(second.accessToken)).status, 200)
  t.match(await ada.delete(path), { status: 200 })
  t.equal((await me(second.accessToken)).status, 401, 'it was told')

  const again = (await ada.post('/v1/oauth/connect', { providerKey: 'real' })).body.data
  const returned = new URL(await agree(again.authorizationUrl, callback))
  await booted.anyone.get(returned.pathname + returned.search)
  const { material: lost } = await direct(booted).open(again.connectionId)
  // What a killed platform leaves behind: the token was taken, and what came for it is in no record.
  const fields = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: lost.refreshToken ?? '' })
  const authorization = `Basic ${btoa(`${CLIENT.id}:secret-of-the-platform`)}`
  t.equal(
    (await fetch(`${issuer}/token`, { method: 'POST', headers: { authorization }, body: fields })).status,
    200
  )
  await booted.platform
    .knex('connections.connection')
    .where({ id: again.connectionId })
    .update({
      refreshingUntil: new Date(Date.now() - 1_000),
      refreshingBy: 1,
      expiresAt: new Date(Date.now() - 1_000)
    })
  await direct(booted).forgotten(again.connectionId)
  await t.rejects(direct(booted).open(again.connectionId), { code: 'connection_expired' })
  t.match((await ada.get(`/v1/oauth/connections/${again.connectionId}`)).body.data, {
    status: 'expired',
    statusReason: /stopped while it renewed the token/
  })
})
