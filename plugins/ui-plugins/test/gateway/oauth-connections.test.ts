import t from 'tap'
import { json, service } from '../../../../test/loopback.ts'
import { stage } from './testbed.ts'

/** A service and its provider: tokens of an even number are refused by the service. */
let given = 0
let current = ''
const api = await service(t, (reply, { path, headers }) => {
  const [at] = path.split('?')
  if (at !== '/token')
    return void json(reply, headers.authorization === `Bearer ${current}` ? 200 : 401, {
      shown: headers.authorization
    })
  current = `token-number-${++given}`
  json(reply, 200, {
    access_token: current,
    refresh_token: `${current}-again`,
    token_type: 'bearer',
    expires_in: 3_600
  })
})
const host = `api.localhost:${api.port}`
const entry = {
  key: 'notes',
  name: 'Notes',
  clientId: 'platform',
  clientSecret: 'a secret',
  authorizationUrl: `${api.url}/authorize`,
  tokenUrl: `${api.url}/token`,
  hosts: [host],
  scopes: [
    { name: 'notes.read', isDefault: true, description: 'Read your notes' },
    { name: 'notes.write', description: 'Change your notes' }
  ]
}
const { booted, enable } = await stage(t, {
  packs: ['models', 'sessions', 'runs', 'tools', 'connections'],
  env: { OUTGOING_ALLOW: '127.0.0.1,api.localhost', OAUTH_PROVIDERS: JSON.stringify([entry]) }
})
const { as, admin, anyone } = booted
await admin.put('/v1/packs/ui-plugins', { settings: { httpEgress: true } })
const [ada, eve] = [as('ada'), as('eve')]

async function connected(client: typeof ada, more: object = {}): Promise<string> {
  const { connectionId, authorizationUrl } = (
    await client.post('/v1/oauth/connect', { providerKey: 'notes', ...more })
  ).body.data
  const state = new URL(authorizationUrl).searchParams.get('state') ?? ''
  await anyone.get(`/v1/oauth/callback/notes?${new URLSearchParams({ state, code: 'yes' })}`)
  return connectionId
}

t.test('an app uses an OAuth connection instead of a key', async (t) => {
  const connections = [
    { key: 'notes', name: 'Notes', hosts: [host], auth: { type: 'bearer' } },
    { key: 'wide', name: 'Wide', hosts: [host, 'example.com'], auth: { type: 'bearer' } }
  ] as never
  const egress = [host, 'example.com'].map((host) => ({ host, reason: 'To be tested' }))
  const app = await enable(
    ada,
    'noting',
    {
      read: 'const reply = await context.fetch(input.url, { connection: "notes" }); return [reply.status, await reply.json()]'
    },
    { egress, connections }
  )
  const put = (body: object, key = 'notes') => ada.put(`/v1/ui-plugins/noting/connections/${key}`, body)
  const connectionId = await connected(ada)

  t.match(await put({ connectionId, value: 'a-key-as-well' }), { status: 400 })
  t.match(await put({ connectionId: await connected(eve) }), {
    status: 403,
    body: { error: { param: '/connectionId', code: 'not_owner' } }
  })
  t.match(await put({ connectionId: 'connection_none' }), { status: 404 })
  t.match(await put({ connectionId }, 'wide'), { status: 403, body: { error: { code: 'host_not_allowed' } } })
  t.match(await put({ connectionId }), { status: 200, body: { data: { status: 'set', connectionId } } })
  const read = () => app.call('read', { url: `http://${host}/notes` })

  // Another connection of the same provider took the latest token.
  await ada.post(`/v1/oauth/connections/${connectionId}/refresh`)
  const reply = await read()
  t.match(reply.body.data, [200, { shown: String }])
  t.notMatch(reply.text, /token-number/, 'an app never sees it')
  const before = given
  current = 'another one'
  t.match((await read()).body.data, [200, {}], 'it is renewed where the service refuses it')
  t.equal(given, before + 1)

  t.match(await put({ value: 'a-key-of-its-own' }), { body: { data: { status: 'set', connectionId: null } } })
  t.match((await read()).body.data, [401, {}])
  t.match(await put({ connectionId }), { status: 200 })
  await ada.delete(`/v1/oauth/connections/${connectionId}`)
  const asked = api.asked.length
  t.match((await read()).status, 502)
  t.equal(api.asked.length, asked, 'and without it nothing is sent')
})

t.test('an app says which connection it takes, and for what', async (t) => {
  const connections = (provider: string, scopes: string[]) =>
    [
      { key: 'notes', name: 'Notes', hosts: [host], auth: { type: 'bearer' }, oauth: { provider, scopes } }
    ] as never
  const egress = [{ host, reason: 'To be tested' }]
  const read = 'const reply = await context.fetch(input.url, { connection: "notes" }); return reply.status'
  const app = await enable(
    ada,
    'asking',
    { read },
    { egress, connections: connections('notes', ['notes.write']) }
  )
  const put = (body: object) => ada.put('/v1/ui-plugins/asking/connections/notes', body)
  const call = () => app.call('read', { url: `http://${host}/notes` })
  const connectionId = await connected(ada, { scopes: ['notes.read'] })
  t.match((await ada.get('/v1/ui-plugins/asking/connections')).body.data, [
    { oauth: { provider: 'notes', scopes: ['notes.write'] }, connectionId: null }
  ])
  t.match(await put({ connectionId }), {
    status: 403,
    body: { error: { param: '/connectionId', code: 'scope_missing', message: /notes\.write/ } }
  })
  await connected(ada, { connectionId, scopes: ['notes.read', 'notes.write'] })
  t.match(await put({ connectionId }), { status: 200, body: { data: { status: 'set' } } })
  t.match((await call()).body.data, 200)

  const asked = api.asked.length
  await enable(
    ada,
    'asking',
    { read },
    { version: '2.0.0', egress, connections: connections('notes', ['notes.admin']) }
  )
  t.match(await call(), { status: 502 }, 'what a version wants beyond it is checked at use')
  await enable(
    ada,
    'asking',
    { read },
    { version: '3.0.0', egress, connections: connections('elsewhere', []) }
  )
  t.match(await call(), { status: 502 })
  t.match(await put({ connectionId }), { status: 403, body: { error: { code: 'other_provider' } } })
  t.equal(api.asked.length, asked, 'and nothing is sent')
})
