import { randomUUID } from 'node:crypto'
import t from 'tap'
import { caller, connect, stage } from './testbed.ts'
import { echo, httpServer, json, toolServer } from './tool-server-fixture.ts'

/** An authorization server whose tokens the tool server takes as long as they are the latest. */
let current = ''
let grants = 0
const provider = await httpServer(t, ({ path, body }, reply) => {
  if (path !== '/token') return json(reply, 404, {})
  if (new URLSearchParams(body).get('grant_type') === 'authorization_code') grants++
  current = `at-${randomUUID()}`
  return json(reply, 200, {
    access_token: current,
    refresh_token: `rt-${randomUUID()}`,
    token_type: 'bearer',
    expires_in: 3_600
  })
})
const tokensOf = () => provider.seen.filter(({ path }) => path === '/token').length
const server = await toolServer(t, 'modern', echo, {
  admit({ headers }, reply) {
    if (headers.authorization === `Bearer ${current}`) return true
    json(reply, 401, { said: headers.authorization })
    return false
  }
})
const entry = {
  key: 'issues',
  name: 'Issues',
  clientId: 'platform',
  clientSecret: 'a secret',
  authorizationUrl: `${provider.url}/authorize`,
  tokenUrl: `${provider.url}/token`,
  hosts: [server.host],
  scopes: [
    { name: 'read', description: 'Read issues', isDefault: true },
    { name: 'write', description: 'Change issues' }
  ]
}
const packs = ['access', 'packs', 'agents', 'models', 'sessions', 'jobs', 'outgoing', 'runs', 'tools', 'mcp']
const { as, anyone } = await stage(t, {
  packs: [...packs, 'connections'],
  env: { OAUTH_PROVIDERS: JSON.stringify([entry]) }
})
const [ada, eve] = [as('ada'), as('eve')]

async function consented(client: typeof ada): Promise<string> {
  const { connectionId, authorizationUrl } = (
    await client.post('/v1/oauth/connect', { providerKey: 'issues' })
  ).body.data
  const state = new URL(authorizationUrl).searchParams.get('state') ?? ''
  await anyone.get(`/v1/oauth/callback/issues?${new URLSearchParams({ state, code: 'yes' })}`)
  return connectionId
}

t.test('a tool server is shown the token of a connection', async (t) => {
  const connectionId = await consented(ada)
  t.equal(grants, 1)
  const auth = { type: 'connection', connectionId, scopes: ['read'] }
  const { server: registered, path, tools } = await connect(ada, { url: server.url, auth })
  const call = await caller(ada, tools)
  t.match((await call('echo', { message: 'hi' })).body.data, { output: 'Echo: hi' })
  t.match((await ada.get(path)).body.data, { status: 'connected', auth })
  t.notMatch((await ada.get(path)).text, /at-[0-9a-f]{8}/)

  const before = tokensOf()
  current = 'ended at the provider'
  const renewed = await call('echo', { message: 'again' })
  t.match(renewed.body.data, { output: 'Echo: again' }, 'it is renewed where the server refuses it')
  t.equal(tokensOf(), before + 1)
  const many = await Promise.all(Array.from({ length: 5 }, () => call('echo', { message: 'and again' })))
  for (const { body } of many) t.match(body.data, { output: 'Echo: and again' })
  t.equal(tokensOf(), before + 1)
  t.notMatch(renewed.text, /at-[0-9a-f]{8}/)

  const asked = server.seen.length
  t.match(await ada.delete(`/v1/oauth/connections/${connectionId}?force=true`), { status: 200 })
  t.match((await call('echo', { message: 'hi' })).body.data, { isError: true }, 'taken back is taken back')
  t.equal(server.seen.length, asked, 'and nothing is sent')
  t.match((await ada.post(`${path}/connect`)).body, { error: {} })
  t.equal((await ada.get(path)).body.data.id, registered.id)
})

t.test('that is theirs, for its hosts, and for what was granted', async (t) => {
  const connectionId = await consented(ada)
  const param = '/auth/connectionId'
  const register = (auth: object, url = server.url) =>
    ada.post('/v1/mcp/servers', { name: 'refused', url, auth: { type: 'connection', ...auth } })
  for (const [reply, status, code] of [
    [await register({ connectionId: await consented(eve) }), 403, 'not_owner'],
    [await register({ connectionId }, 'https://api.example.com/mcp'), 403, 'host_not_allowed'],
    [await register({ connectionId, scopes: ['write'] }), 403, 'scope_missing'],
    [await register({ connectionId: 'connection_none' }), 404, undefined]
  ] as const)
    t.match(reply, { status, body: { error: { param, ...(code && { code }) } } }, code ?? 'unknown')
  t.match(await register({}), { status: 400 })
  t.match(await register({ connectionId, keyId: 'tkey_none' }), { status: 400 })
})
