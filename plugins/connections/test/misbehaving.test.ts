import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { Asked } from '../../../test/loopback.ts'
import { json } from '../../../test/loopback.ts'
import { configuredProviders } from '../catalogue/configured.ts'
import { comeBack, connected, direct, provider, stage } from './testbed.ts'

/** A provider whose token endpoint does as it likes, and what comes of it. */
t.test('providers that do not do as they should', async (t) => {
  const there = await provider(t)
  const log: string[] = []
  const deeper = { tokensAt: '/authed_user', errors: { bad_code: 'invalid_grant' } }
  const booted = await stage(
    t,
    [
      there.settings(),
      there.settings('deeper', deeper),
      there.settings('jsonly', { jsonRequests: true }),
      ...[
        ['plain', '1f2e-my_app', 'secret_a-b.c~'] as const,
        ['reserved', 'the-platform', 'a+b/c=d %41&'] as const
      ].map(([key, clientId, clientSecret]) => there.settings(key, { clientId, clientSecret, auth: 'basic' }))
    ],
    { env: { OAUTH_PROVIDER_SECONDS: '1' }, log: (line) => void log.push(JSON.stringify(line)) }
  )
  const ada = booted.as('ada')
  const SECRET = 'at-that-nobody-may-read'
  const form = (reply: ServerResponse, type: string, fields: Record<string, string>, status = 200) =>
    reply.writeHead(status, { 'content-type': type }).end(String(new URLSearchParams(fields)))
  const page = (reply: ServerResponse, status: number) =>
    reply.writeHead(status, { 'content-type': 'text/html' }).end(`<html>${SECRET}</html>`)

  async function asked(answer: (reply: ServerResponse, asked: Asked) => unknown, key = 'local') {
    const { body } = await ada.post('/v1/oauth/connect', { providerKey: key })
    const { state, code } = there.agree(body.data.authorizationUrl)
    there.state.answers = { '/token': answer, '/me': (reply) => json(reply, 200, { sub: 1, email: 'ada' }) }
    const { text } = await comeBack(booted.anyone, key, { state, code })
    there.state.answers = {}
    const { data } = (await ada.get(`/v1/oauth/connections/${body.data.connectionId}`)).body
    return { text, data, id: body.data.connectionId as string }
  }

  const taken: Readonly<Record<string, (reply: ServerResponse) => unknown>> = {
    'a form': (reply) =>
      form(reply, 'application/x-www-form-urlencoded', {
        access_token: SECRET,
        scope: 'read,write',
        token_type: 'bearer'
      }),
    'a form that says it is text': (reply) =>
      form(reply, 'text/plain', { access_token: SECRET, scope: 'read write' }),
    'no type of its token': (reply) => json(reply, 200, { access_token: SECRET, scope: 'read,write' }),
    'JSON that says it is a page': (reply) =>
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(JSON.stringify({ access_token: SECRET, scope: 'read write' })),
    'scopes as a list': (reply) => json(reply, 200, { access_token: SECRET, scope: ['read', 'write'] }),
    'a time as text': (reply) =>
      json(reply, 200, { access_token: SECRET, scope: 'read write', expires_in: '3600' }),
    'an id token of somebody': (reply) =>
      json(reply, 200, { access_token: SECRET, scope: 'read write', id_token: 'x.y.z' })
  }
  for (const [what, answer] of Object.entries(taken))
    t.test(`${what} is taken`, async (t) => {
      const { data, id } = await asked(answer)
      t.match(data, { status: 'active', scopes: ['read', 'write'], account: 'ada' })
      t.equal((await direct(booted).open(id)).material.accessToken, SECRET)
    })

  t.test('tokens that lie deeper, and requests as JSON', async (t) => {
    const slack = {
      ok: true,
      access_token: 'of a bot',
      authed_user: { access_token: SECRET, token_type: 'user', scope: 'read' }
    }
    const { data, id } = await asked((reply) => json(reply, 200, slack), 'deeper')
    t.match(data, { status: 'active', scopes: ['read'] })
    t.equal((await direct(booted).open(id)).material.accessToken, SECRET)
    let sent: Asked | undefined
    await asked((reply, it) => {
      sent = it
      json(reply, 200, { access_token: SECRET })
    }, 'jsonly')
    t.match(sent?.headers['content-type'], /^application\/json/)
    t.match(JSON.parse(sent?.body ?? ''), { grant_type: 'authorization_code', code: /^code-/ })
  })

  t.test('a token of 16 kB', async (t) => {
    const long = `at-${'x'.repeat(16_384)}`
    const { id } = await asked((reply) =>
      json(reply, 200, { access_token: long, refresh_token: `rt-${long}`, expires_in: 3_600 })
    )
    t.equal((await direct(booted).open(id)).material.accessToken, long)
    const endless = await asked((reply) => json(reply, 200, { access_token: 'x'.repeat(200_000) }))
    t.match(endless.data, { status: 'pending', statusReason: /no valid reply/ })
  })

  const refused: Readonly<Record<string, [(reply: ServerResponse) => unknown, RegExp]>> = {
    'an error with status 200': [
      (reply) => json(reply, 200, { error: 'invalid_grant', error_description: SECRET }),
      /refuses: invalid_grant/
    ],
    'an error beside a token': [
      (reply) => json(reply, 200, { error: 'access_denied', access_token: SECRET }),
      /answered access_denied/
    ],
    'a form with an error': [
      (reply) =>
        form(reply, 'application/x-www-form-urlencoded', { error: 'incorrect', error_description: SECRET }),
      /answered an error/
    ],
    'ok: false': [(reply) => json(reply, 200, { ok: false, error: SECRET }), /answered an error/],
    'an error that is no word': [
      (reply) => json(reply, 200, { error: { message: SECRET } }),
      /answered an error/
    ],
    'a page': [(reply) => page(reply, 200), /no valid reply/],
    'a page with an error': [(reply) => page(reply, 502), /is away: it answered 502/],
    nothing: [(reply) => reply.writeHead(200).end(), /no valid reply/],
    'no token': [(reply) => json(reply, 200, { token_type: 'bearer' }), /no valid reply/],
    'a token of another kind': [
      (reply) => json(reply, 200, { access_token: SECRET, token_type: 'mac' }),
      /no valid reply/
    ],
    'a token with lines in it': [
      (reply) => json(reply, 200, { access_token: `${SECRET}\r\nhost: evil` }),
      /no valid reply/
    ],
    'a list': [(reply) => json(reply, 200, [SECRET]), /no valid reply/],
    'ten megabytes': [
      (reply) => reply.writeHead(200).end(`{"access_token":"${'x'.repeat(10_000_000)}"}`),
      /.+/
    ],
    'another address': [
      (reply) => reply.writeHead(302, { location: 'https://evil.example' }).end(),
      /redirects/
    ],
    'too many requests': [
      (reply) => json(reply.setHeader('retry-after', '30'), 429, {}),
      /takes no more requests/
    ],
    'a broken line': [(reply) => reply.destroy(), /.+/],
    'no answer in time': [() => undefined, /did not answer in time/]
  }
  for (const [what, [answer, reason]] of Object.entries(refused))
    t.test(`${what} is no connection`, async (t) => {
      const { text, data } = await asked(answer)
      t.match(data, { status: 'pending', statusReason: reason })
      t.match(text, /was not connected/)
      t.notMatch(text + JSON.stringify(data), SECRET, 'and its words are not shown')
    })

  t.test(
    'sends client credentials to providers that compare them literally and to those that decode them',
    async (t) => {
      const decoded = (text: string) =>
        text
          .split(':')
          .map((it) => decodeURIComponent(it.replaceAll('+', ' ')))
          .join(':')
      const wanted = { plain: '1f2e-my_app:secret_a-b.c~', reserved: 'the-platform:a+b/c=d %41&' }
      const servers: Record<string, [string, (sent: string) => boolean, object | undefined]> = {
        'plain, compared literally': ['plain', (sent) => sent === wanted.plain, { error: 'invalid_client' }],
        'reserved, compared literally': [
          'reserved',
          (sent) => sent === wanted.reserved,
          { error: 'invalid_client' }
        ],
        'reserved, compared literally, without a word': [
          'reserved',
          (sent) => sent === wanted.reserved,
          undefined
        ],
        'reserved, decoded': [
          'reserved',
          (sent) => decoded(sent) === wanted.reserved,
          { error: 'invalid_client' }
        ]
      }
      for (const [what, [key, isRight, no]] of Object.entries(servers)) {
        const sent: string[] = []
        const { data, id } = await asked((reply, { headers }) => {
          const basic = Buffer.from((headers.authorization ?? '').slice(6), 'base64').toString()
          sent.push(basic)
          if (isRight(basic)) json(reply, 200, { access_token: SECRET, refresh_token: 'rt', expires_in: 60 })
          else if (no) json(reply, 400, no)
          else reply.writeHead(401).end()
        }, key)
        t.match(data, { status: 'active' }, what)
        t.ok(isRight(sent.at(-1) ?? ''))
        t.ok(sent.length <= 2)
        there.state.answers = {
          '/token': (reply, { headers }) => {
            sent.push(Buffer.from((headers.authorization ?? '').slice(6), 'base64').toString())
            json(reply, 200, { access_token: SECRET })
          },
          '/revoke': (reply, { headers }) => {
            sent.push(Buffer.from((headers.authorization ?? '').slice(6), 'base64').toString())
            json(reply, 200, {})
          }
        }
        const before = sent.length
        t.match(await ada.post(`/v1/oauth/connections/${id}/refresh`), { status: 200 })
        t.match(await ada.delete(`/v1/oauth/connections/${id}`), { status: 200 })
        t.equal(sent.length, before + 2, 'the form that is accepted is used from then on')
        t.ok(sent.slice(before).every(isRight))
        there.state.answers = {}
      }
      const wrong: string[] = []
      const { data } = await asked((reply, { headers }) => {
        wrong.push(headers.authorization ?? '')
        json(reply, 401, { error: 'invalid_client' })
      }, 'reserved')
      t.match(data, { status: 'pending', statusReason: /does not take the platform as its client/ })
      t.equal(wrong.length, 2, 'two forms, and no more')
    }
  )

  t.test('codes of their own', async (t) => {
    const { data } = await asked((reply) => json(reply, 200, { ok: false, error: 'bad_code' }), 'deeper')
    t.match(data.statusReason, /refuses: invalid_grant/)
  })

  t.test('one that grants less than was asked', async (t) => {
    there.state.scope = 'read'
    const { id, path } = await connected(ada, there, { scopes: ['read', 'write'] })
    there.state.scope = undefined
    t.match((await ada.get(path)).body.data, { status: 'active', scopes: ['read'] })
    await t.rejects(direct(booted).open(id, 'ada', { scopes: ['write'] }), {
      kind: 'forbidden',
      code: 'scope_missing'
    })
    t.ok(await direct(booted).open(id, 'ada', { scopes: ['read'], host: there.host }))
    await t.rejects(direct(booted).open(id, 'ada', { host: 'evil.example' }), { code: 'host_not_allowed' })
    await t.rejects(direct(booted).open(id, 'eve'), { kind: 'forbidden', code: 'not_owner' })
  })

  t.test('one that does not take what it just gave', async (t) => {
    const { body } = await ada.post('/v1/oauth/connect', { providerKey: 'local' })
    const { state, code } = there.agree(body.data.authorizationUrl)
    there.state.answers = { '/me': (reply) => json(reply, 401, {}) }
    t.match(
      (await comeBack(booted.anyone, 'local', { state, code })).text,
      /does not take the token that it gave/
    )
    there.state.answers = { '/me': (reply) => page(reply, 500) }
    const { text } = await comeBack(booted.anyone, 'local', await again())
    t.match(text, /is connected/, 'but one that does not say whose it is has given it')
    there.state.answers = {}
    async function again() {
      const { data } = (await ada.post('/v1/oauth/connect', { providerKey: 'local' })).body
      const { state, code } = there.agree(data.authorizationUrl)
      return { state, code }
    }
  })

  t.test('nothing of it is in the log', async (t) => {
    t.notMatch(log.join('\n'), new RegExp(`${SECRET}|secret of the platform`))
  })
})

t.test('settings that are wrong say where, and not what stands there', async (t) => {
  const there = await provider(t)
  const of = (providers: string, production = false) =>
    configuredProviders({ providers, returnUrls: '', providerSeconds: 1 }, production)
  const entry = there.settings()
  t.throws(() => of('{}'), { message: /must be a list/ })
  t.throws(() => of('['), { message: /is no JSON/ })
  const wrong = [{ ...entry, tokenUrl: 'ftp://with-a-secret' }]
  t.throws(() => of(JSON.stringify(wrong)), {
    message: /^OAUTH_PROVIDERS is wrong at \/0\/tokenUrl: (?!.*secret)/
  })
  t.throws(() => of(JSON.stringify([{ ...entry, hosts: ['*'] }])), { message: /\/0\/hosts\/0/ })
  t.throws(() => of(JSON.stringify([entry]), true), { message: /not https/ })
  t.match(of(JSON.stringify([{ ...entry, key: 'gitlab' }])).get('gitlab'), {
    missing: [],
    tokenUrl: entry.tokenUrl
  })
})
