// budget: 5 s, because people sign in with passwords that are hashed slowly, and an agent runs
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import t from 'tap'
import type { Identity, Tokens } from './testbed.ts'
import { actionOf, browserOf, clientOf, identityOf, PASSWORD, signedIn } from './testbed.ts'

const ORIGIN = 'https://app.example.com'
const CALLBACK = `${ORIGIN}/callback`
const VERIFIER = 'v'.repeat(43)
const clients = [{ clientId: 'app', name: 'App', redirectUris: [CALLBACK] }]
const PACKS = [
  'agents',
  'outgoing',
  'models',
  'sessions',
  'runs',
  'console',
  'spaces',
  'memory',
  'goals'
] as const
const refused = { status: 403, body: { error: { code: 'scope_missing' } } }

/** An application that people let in with a browser. */
function applicationOf({ address }: Identity, scope: string) {
  const token = (form: Record<string, string>, origin = ORIGIN) =>
    fetch(`${address}/identity/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ client_id: 'app', ...form })
    })
  return {
    /** What the browser comes to: a page, or its way back. */
    begin: ({ go }: ReturnType<typeof browserOf>, more: Record<string, string> = {}) => {
      const asked = {
        client_id: 'app',
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope,
        state: 'x',
        code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
        code_challenge_method: 'S256',
        ...more
      }
      return go(`/identity/authorize?${new URLSearchParams(asked)}`)
    },
    exchange: ({ headers }: Response, more: Record<string, string> = {}, origin = ORIGIN) => {
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
      const proof = { redirect_uri: CALLBACK, code_verifier: VERIFIER }
      return token({ grant_type: 'authorization_code', code, ...proof, ...more }, origin)
    },
    refresh: async ({ refresh_token }: Tokens) =>
      (await (await token({ grant_type: 'refresh_token', refresh_token })).json()) as Tokens
  }
}

t.test('applications act for people', async (t) => {
  const env = { IDENTITY_CLIENTS: JSON.stringify(clients) }
  const identity = await identityOf(t, { env }, ...PACKS)
  const { address } = identity

  t.test('in the project that was chosen, and for what was agreed to', async (t) => {
    const ada = await signedIn(identity, 'ada@example.com', { isOperator: true })
    const other = await ada.client.post('/v1/projects', { name: 'Other' })
    const { begin, exchange } = applicationOf(identity, 'openid agents:read agents:create agents:run')
    const browser = browserOf(identity)
    const { go } = browser
    const { page: login } = await begin(browser)
    const { page: consent } = await go(actionOf(login), { email: 'ada@example.com', password: PASSWORD })
    t.match(consent, /Let App in\?/)
    const { project } = ada
    const back = await go(actionOf(consent), { decision: 'allow', project })
    const url = new URL(back.headers.get('location') ?? '')
    t.equal(url.origin, ORIGIN)
    t.equal(url.searchParams.get('iss'), `${address}/identity`)

    const elsewhere = await exchange(back, {}, 'https://evil.example.com')
    t.notOk(elsewhere.headers.get('access-control-allow-origin'), 'no other page reads what it answers')
    t.equal(elsewhere.status, 400)
    const wider = await exchange(await begin(browser), { project_id: other.body.data.id })
    t.match([wider.status, await wider.json()], [400, { error: 'invalid_target' }])
    const reply = await exchange(await begin(browser), { project_id: project })
    t.equal(reply.headers.get('access-control-allow-origin'), ORIGIN)
    const client = clientOf(identity, (await reply.json()) as Tokens)
    t.match(await client.get('/v1/auth/me'), { status: 200, body: { data: { project, narrowed: true } } })

    const agent = await client.agent({ modelProvider: 'local', modelId: 'tiny' })
    const messages = [{ role: 'user', content: '/say Hello' }]
    const run = await client.post('/v1/agents/run', { agentId: agent.id, messages })
    t.match(run.body.data, { status: 'completed', content: 'Hello' })
    const { id: runId, sessionId } = run.body.data
    t.match(await client.get(`/v1/agents/runs/${runId}`), { status: 200 })
    t.match(await client.get(`/v1/agents/runs/${runId}/stream`), { status: 200, text: /Hello/ })
    t.match(await client.get(`/v1/agents/sessions/${sessionId}/chat`), { status: 200 })
    t.match(await client.get(`/v1/sessions/${sessionId}/full`), refused, 'which goes by ownership')
    t.match(await client.post('/v1/auth/api-keys', { name: 'mine' }), refused)
    t.match(await ada.client.get(`/v1/sessions/${sessionId}/full`), { status: 200 }, 'the command line may')

    const own = `/v1/projects/${project}`
    t.match(await client.post(`${own}/keys`, { name: 'all', type: 'service' }), refused)
    t.match(await client.post(`${own}/invitations`, { email: 'eve@example.com', role: 'owner' }), refused)
    t.match(await client.delete(own), refused)
    t.match(await client.post('/v1/projects', { name: 'Mine' }), refused)
    t.match(await client.get('/v1/people'), { status: 403 })
    t.match(await client.get('/v1/passkeys'), refused)
  })

  t.test(
    'in what goes by ownership as far as the mounted packs offer it, and it was agreed to',
    async (t) => {
      const asked =
        'openid offline_access memory:read spaces:read spaces:write projects:write auth:write nothing:read'
      const { begin, exchange, refresh } = applicationOf(identity, asked)
      const [eve, mallory] = [
        await signedIn(identity, 'eve@example.com'),
        await signedIn(identity, 'mal@example.com')
      ]
      const browser = browserOf(identity)
      const { go } = browser
      const { page: login } = await begin(browser, { prompt: 'consent' })
      const { page } = await go(actionOf(login), { email: 'eve@example.com', password: PASSWORD })
      for (const text of [
        'see your spaces',
        'change and use your spaces',
        'see your memory',
        'app.example.com'
      ])
        t.ok(page.includes(text), text)
      t.match(page, /<summary>What that is<.*<li>Create a space</s)
      t.notMatch(page, /projects|auth|nothing:read|your keys/)
      const back = await exchange(await go(actionOf(page), { decision: 'allow', project: eve.project }))
      const tokens = (await back.json()) as Tokens
      const scope = 'memory:read spaces:read spaces:write'
      t.match(decodeJwt(tokens.access_token), { scope, narrowed: true })
      const client = clientOf(identity, tokens)
      const made = await client.post('/v1/spaces', { name: 'Room' })
      t.match(made, { status: 201 })
      const path = `/v1/spaces/${made.body.data.id}`
      t.match(await eve.client.get(path), { status: 200 }, 'the space is the person’s')
      t.match(await client.get('/v1/spaces'), { body: { data: [{ name: 'Room' }] } })
      t.match(await mallory.client.get(path), { status: 403 })
      const theirs = await mallory.client.post('/v1/spaces', { name: 'Other' })
      t.match(
        await client.get(`/v1/spaces/${theirs.body.data.id}`),
        { status: 403 },
        'and that of another is not'
      )
      const agent = await eve.client.agent()
      t.match(await client.get(`/v1/memory/agents/${agent.id}`), { status: 200 })
      const memory = { agentId: agent.id, content: 'Hello', type: 'fact' }
      t.match(await client.post('/v1/memory', memory), refused, 'which was not asked for')
      t.match(await client.get('/v1/agents'), refused)
      t.match(await client.get('/v1/projects'), refused)
      t.match(await client.post('/v1/auth/api-keys', { name: 'mine' }), refused)
      t.match(await client.get('/v1/goals'), refused)
      const later = await refresh(tokens)
      t.match(decodeJwt(later.access_token).scope, scope)

      const { knex } = identity.platform
      const wider = applicationOf(identity, `${asked} goals:read`)
      const again = await wider.begin(browser)
      t.match(again.page, /see your goals/, 'what was not agreed to is asked')
      t.notMatch(again.page, /see your spaces/)
      await go(actionOf(again.page), { decision: 'refuse', project: eve.project })
      t.match(await knex('identity.session').where({ owner: eve.id, client: 'app' }), [
        { chosen: eve.project }
      ])
      t.match(decodeJwt((await refresh(later)).access_token).scope, scope, 'and what is refused is not given')
    }
  )

  t.test('who are asked who they are where the application wants that', async (t) => {
    const { begin, exchange } = applicationOf(identity, 'openid agents:read')
    const browser = browserOf(identity)
    const { go } = browser
    const login = { email: 'eve@example.com', password: PASSWORD }
    const [first] = await identity.platform.knex('identity.person').where({ email: login.email })
    const [{ project }] = await identity.platform.knex('identity.member').where({ owner: first.id })
    const { page } = await begin(browser)
    const { page: consent } = await go(actionOf(page), login)
    await go(actionOf(consent), { decision: 'allow', project })
    t.match((await begin(browser)).headers.get('location'), /code=/, 'who is known is not asked')
    for (const more of [{ prompt: 'login' }, { max_age: '0' }] as Record<string, string>[]) {
      const { page } = await begin(browser, more)
      t.match(page, /name="password"/, JSON.stringify(more))
      const done = await go(actionOf(page), login)
      const tokens = (await (await exchange(done)).json()) as Tokens
      t.match(decodeJwt(tokens.access_token), { sub: first.id })
      if ('max_age' in more) t.type(decodeJwt(tokens.id_token).auth_time, 'number')
    }
    const silent = await begin(browser, { prompt: 'none', max_age: '3600' })
    t.match(silent.headers.get('location'), /code=/)
    const unknown = await begin(browserOf(identity), { prompt: 'none' })
    t.match(unknown.headers.get('location'), /error=login_required/)
  })

  t.test('and as operators where an operator was asked alone', async (t) => {
    const { id, project } = await signedIn(identity, 'bob@example.com')
    const scope = 'openid offline_access agents:read platform:admin'
    const { begin, exchange, refresh } = applicationOf(identity, scope)
    const browser = browserOf(identity)
    const { go } = browser
    const { page: login } = await begin(browser, { prompt: 'consent' })
    const { page } = await go(actionOf(login), { email: 'bob@example.com', password: PASSWORD })
    t.match(page, /see your agents and their conversations/)
    t.notMatch(page, /an operator/)
    const allowed = await go(actionOf(page), { decision: 'allow', project })
    const before = (await (await exchange(allowed)).json()) as Tokens
    t.equal(decodeJwt(before.access_token).scope, 'agents:read')
    t.match((await begin(browser)).headers.get('location'), /code=/, 'which is not asked again')

    await identity.platform.knex('identity.person').where({ id }).update({ isOperator: true })
    const later = await refresh(before)
    t.equal(decodeJwt(later.access_token).scope, 'agents:read', 'nobody agreed to that')
    const { page: again } = await begin(browser)
    t.match(again, /everything that an operator/)
    const granted = await exchange(await go(actionOf(again), { decision: 'allow', project }))
    const after = (await granted.json()) as Tokens
    t.match(decodeJwt(after.access_token).scope, /platform:admin/)
    const client = clientOf(identity, after)
    t.match(
      await client.post('/v1/people/invitations', { email: 'eve@example.com', isOperator: true }),
      refused
    )
    t.match(await client.get('/v1/people'), refused)
    const { headers } = await client.post('/console/session', {})
    const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0])
    const asSession = { headers: { cookie, 'sec-fetch-site': 'same-origin' } }
    t.match(await identity.anyone.request('GET', '/v1/auth/me', asSession), {
      status: 200,
      body: { data: { principalId: id } }
    })
    t.match(await identity.anyone.request('GET', '/v1/people', asSession), refused, 'nor by a session')
  })
})
