import { createHash } from 'node:crypto'
import t from 'tap'
import { actionOf, browserOf, clientOf, identityOf, PASSWORD, personOf } from './testbed.ts'

const ORIGIN = 'https://app.example.com'
const CALLBACK = `${ORIGIN}/callback`
const VERIFIER = 'v'.repeat(43)

t.test('an application acts for a person, and gets no more by it', async (t) => {
  const clients = [{ clientId: 'app', name: 'App', redirectUris: [CALLBACK] }]
  const identity = await identityOf(t, { env: { IDENTITY_CLIENTS: JSON.stringify(clients) } })
  const { address } = identity
  await personOf(identity, 'ada@example.com', { isOperator: true })
  const { go } = browserOf(identity)
  const asked = {
    client_id: 'app',
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid agents:read',
    state: 'x',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256'
  }
  const { page: login } = await go(`/identity/authorize?${new URLSearchParams(asked)}`)
  const { page: consent } = await go(actionOf(login), { email: 'ada@example.com', password: PASSWORD })
  t.match(consent, /Let App in\?/)
  const project = /<option value="([^"]+)"/.exec(consent)?.[1] ?? ''
  const { headers } = await go(actionOf(consent), { decision: 'allow', project })
  const back = new URL(headers.get('location') ?? '')
  t.equal(back.origin, ORIGIN)
  t.equal(back.searchParams.get('iss'), `${address}/identity`)

  const exchange = (origin: string) =>
    fetch(`${address}/identity/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({
        client_id: 'app',
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER
      })
    })
  const elsewhere = await exchange('https://evil.example.com')
  t.notOk(elsewhere.headers.get('access-control-allow-origin'), 'no other page reads what it answers')
  t.equal(elsewhere.status, 400)
  const again = await go(`/identity/authorize?${new URLSearchParams(asked)}`)
  back.searchParams.set('code', new URL(again.headers.get('location') ?? '').searchParams.get('code') ?? '')
  const reply = await exchange(ORIGIN)
  t.equal(reply.headers.get('access-control-allow-origin'), ORIGIN)
  const client = clientOf(identity, (await reply.json()) as { access_token: string })
  t.match(await client.get('/v1/auth/me'), { status: 200, body: { data: { project } } })
  const refused = { status: 403, body: { error: { code: 'scope_missing' } } }
  const own = `/v1/projects/${project}`
  t.match(await client.post(`${own}/keys`, { name: 'all', type: 'service' }), refused)
  t.match(await client.post(`${own}/invitations`, { email: 'eve@example.com', role: 'owner' }), refused)
  t.match(await client.delete(own), refused)
  t.match(await client.post('/v1/projects', { name: 'Mine' }), refused)
  t.match(await client.get('/v1/people'), { status: 403 })
  t.match(await client.get('/v1/passkeys'), refused)
})
