// budget: 5 s, because people sign in and out of the console many times, each with a password that is hashed slowly
import t from 'tap'
import {
  actionOf,
  BACK,
  BEGIN,
  browserOf,
  identityOf,
  PASSWORD,
  personOf,
  sessionOf,
  signedIn,
  signInBefore
} from './testbed.ts'

t.test('a person signs in to the console by the identity provider', async (t) => {
  const identity = await identityOf(t, {}, 'console')
  const { address } = identity
  const ada = await signedIn(identity, 'ada@example.com')
  await signedIn(identity, 'eve@example.com')

  t.test('and signing out there ends both sessions', async (t) => {
    const begun = await fetch(`${address}${BEGIN}`, { redirect: 'manual' })
    t.match(
      begun.headers.get('set-cookie'),
      /^console-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/
    )
    const asked = new URL(begun.headers.get('location') ?? '')
    t.match(Object.fromEntries(asked.searchParams), {
      client_id: 'console',
      code_challenge_method: 'S256',
      state: /^[\w-]{43}$/,
      nonce: /^[\w-]{43}$/
    })
    const { go, jar, back } = await signInBefore(identity, 'ada@example.com', '?to=/agents')
    const landed = await go(back, undefined, '/console/agents')
    t.equal(landed.headers.get('location'), `${address}/console/agents`)
    t.notOk(jar.has('console-sign-in'))
    const { ask, who } = await sessionOf(identity, jar)
    t.match(who, { id: ada.id, type: 'user', project: ada.project })
    t.match(await ask('/v1/projects'), { status: 200, body: { data: [{ id: ada.project }] } }, 'as a person')
    t.match(await ask('/v1/people'), { status: 403 }, 'who is no operator')

    const again = await signInBefore(identity, '', '', { go, jar })
    t.match(again.back, /code=/, 'who is known is not asked again')
    await go(again.back, undefined, '/console/')
    t.match(await ask('/v1/auth/me'), { status: 401 }, 'the session before is replaced')
    const last = await sessionOf(identity, jar)
    t.match(await last.ask('/console/session', 'DELETE'), { status: 200 })
    t.match(await last.ask('/v1/auth/me'), { status: 401 })
    jar.delete('agent-platform')
    t.match((await go(BEGIN)).page, /name="password"/, 'nor is it known at the provider')
  })

  t.test('nothing else comes back as someone', async (t) => {
    const failed = async (
      url: string,
      browser: Pick<ReturnType<typeof browserOf>, 'go' | 'jar'>,
      why: string
    ) => {
      const reply = await browser.go(url, undefined, '#failed')
      t.equal(reply.headers.get('location'), `${address}/console/sign-in#failed`, why)
      t.notOk(browser.jar.has('agent-platform'), why)
    }
    const mallory = await signInBefore(identity, 'eve@example.com')
    await failed(mallory.back, browserOf(identity), 'a browser that has begun nothing')
    const begun = browserOf(identity)
    await begun.go(BEGIN)
    await failed(mallory.back, begun, 'a browser that has begun something else')

    const replayed = await signInBefore(identity, 'ada@example.com')
    const kept = replayed.jar.get('console-sign-in') as string
    await replayed.go(replayed.back, undefined, '/console/')
    const thief = browserOf(identity)
    thief.jar.set('console-sign-in', kept)
    await failed(replayed.back, thief, 'a code that was used')

    for (const [name, value] of [
      ['iss', 'https://other.example.com'],
      ['iss', undefined],
      ['code', 'x'],
      ['state', 'x'],
      ['state', undefined]
    ] as const) {
      const { go, jar, back } = await signInBefore(identity, 'ada@example.com')
      const changed = new URL(back)
      if (value === undefined) changed.searchParams.delete(name)
      else changed.searchParams.set(name, value)
      await failed(changed.href, { go, jar }, `${name} ${value}`)
    }
    for (const name of ['nonce', 'code_challenge']) {
      const { go, jar } = browserOf(identity)
      const { headers } = await go(BEGIN, undefined, '/identity/authorize')
      const changed = new URL(headers.get('location') ?? '')
      changed.searchParams.set(name, 'A'.repeat(43))
      const { page } = await go(changed.href)
      const done = await go(actionOf(page), { email: 'ada@example.com', password: PASSWORD }, BACK)
      t.match(done.headers.get('location'), /code=/)
      await failed(done.headers.get('location') ?? '', { go, jar }, name)
    }
    const refused = browserOf(identity)
    const { headers } = await refused.go(BEGIN, undefined, '/identity/authorize')
    const { searchParams } = new URL(headers.get('location') ?? '')
    const error = {
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: `${address}/identity`
    }
    await failed(`${BACK}?${new URLSearchParams(error)}`, refused, 'an error')
  })

  t.test('no other site begins it, and it leads nowhere else', async (t) => {
    const cross = await fetch(`${address}${BEGIN}`, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site', host: 'evil.example.com' }
    })
    t.equal(cross.status, 403)
    t.equal((await fetch(`${address}/console/sign-in/nowhere`)).status, 404)
    t.equal((await fetch(`${address}/console/sign-in/nowhere/callback`)).status, 404)
    const { go, jar } = browserOf(identity)
    await signInBefore(identity, 'ada@example.com', '', { go, jar })
    for (const to of [
      '//evil.example.com',
      '/\\evil.example.com',
      'https://evil.example.com',
      '/../v1/agents',
      '/%2e%2e/x',
      '/a b'
    ]) {
      const { back } = await signInBefore(identity, '', `?to=${encodeURIComponent(to)}`, { go, jar })
      const landed = await go(back, undefined, '/console')
      t.equal(
        landed.headers.get('location'),
        to.startsWith('//') ? `${address}/console//evil.example.com` : `${address}/console/`,
        to
      )
    }
  })

  t.test('in the project that the person chose', async (t) => {
    const { body } = await ada.client.post('/v1/projects', { name: 'Shop', environment: 'test' })
    const { go, jar } = browserOf(identity)
    const { reply } = await signInBefore(identity, 'ada@example.com', '', { go, jar })
    t.match(reply.page, /<h1>Choose a project/)
    t.notMatch(reply.page, /run your agents/)
    const { headers } = await go(actionOf(reply.page), { decision: 'allow', project: body.data.id }, BACK)
    await go(headers.get('location') ?? '', undefined, '/console/')
    t.match((await sessionOf(identity, jar)).who, { project: body.data.id })
    const other = await signInBefore(identity, '', `?project=${ada.project}`, { go, jar })
    await go(other.back, undefined, '/console/')
    t.match((await sessionOf(identity, jar)).who, { project: ada.project })
    const before = jar.get('agent-platform')
    for (const project of ['default', 'project_01k4qz0000e0080000000000ab']) {
      const { back } = await signInBefore(identity, '', `?project=${project}`, { go, jar })
      await go(back, undefined, '#failed')
      t.equal(jar.get('agent-platform'), before, 'and in no other')
    }
  })

  t.test('in another one, once the person has left that', async (t) => {
    const { body } = await ada.client.post('/v1/projects', { name: 'Short' })
    const { go, jar } = browserOf(identity)
    const { reply } = await signInBefore(identity, 'ada@example.com', '', { go, jar })
    const { headers } = await go(actionOf(reply.page), { decision: 'allow', project: body.data.id }, BACK)
    await go(headers.get('location') ?? '', undefined, '/console/')
    await ada.client.delete(`/v1/projects/${body.data.id}`)
    t.equal((await sessionOf(identity, jar)).who, null)
    const again = await go(BEGIN, undefined, BACK)
    t.match(again.page, /<h1>Choose a project/)
    const chosen = await go(actionOf(again.page), { decision: 'allow', project: ada.project }, BACK)
    await go(chosen.headers.get('location') ?? '', undefined, '/console/')
    t.match((await sessionOf(identity, jar)).who, { project: ada.project })
  })

  t.test('who is disabled is out of it', async (t) => {
    const { go, jar, back } = await signInBefore(identity, 'eve@example.com')
    await go(back, undefined, '/console/')
    const { ask, who } = await sessionOf(identity, jar)
    t.ok(who)
    await identity.admin.post(`/v1/people/${who.id}/disable`)
    t.match(await ask('/v1/auth/me'), { status: 401 })
    t.match((await go(BEGIN)).page, /name="password"/)
  })

  t.test('an operator may what operators may', async (t) => {
    await personOf(identity, 'op@example.com', { isOperator: true })
    const { go, jar, back } = await signInBefore(identity, 'op@example.com')
    await go(back, undefined, '/console/')
    const { ask } = await sessionOf(identity, jar)
    t.match(await ask('/v1/people'), { status: 200 })
  })
})
