import { createClient } from 'agent-platform-client'
import t from 'tap'
import { identityOf, personOf, signedIn, tokensOf } from '../../plugins/identity/test/testbed.ts'

t.test('the session of a person', async (t) => {
  const identity = await identityOf(t)
  const ada = await signedIn(identity, 'ada@example.com')
  const tokens = await tokensOf(identity, 'ada@example.com')
  let asked = 0
  const counting: typeof fetch = (input, init) => {
    if ((input as Request).url.endsWith('/identity/token')) asked++
    return fetch(input, init)
  }
  const kept: string[] = []
  const identityToken = {
    refreshToken: tokens.refresh_token,
    onRefreshed: ({ refreshToken }: { refreshToken: string }) => void kept.push(refreshToken)
  }
  const client = createClient({ baseUrl: identity.address, identityToken, fetch: counting })

  await t.test('is exchanged for access tokens, once for all that wait', async (t) => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.get('/v1/auth/me')))
    t.ok(replies.every(({ data }) => data.principalId === ada.id))
    t.equal(asked, 1)
    t.equal(kept.length, 1)
    t.not(kept[0], tokens.refresh_token)
  })

  await t.test('is the credential of projects, and a key that of other calls', async (t) => {
    const { data: project } = await client.post('/v1/projects', {
      body: { name: 'Shop', environment: 'test' }
    })
    const { data: made } = await client.post('/v1/projects/{projectId}/keys', {
      params: { path: { projectId: project.id } },
      body: { name: 'ci' }
    })
    const both = createClient({
      baseUrl: identity.address,
      apiKey: made.key,
      identityToken: { refreshToken: kept.at(-1) as string, onRefreshed: identityToken.onRefreshed }
    })
    t.equal((await both.get('/v1/auth/me')).data.project, project.id)
    t.match(await both.get('/v1/projects', {}), { data: [{ id: project.id }, { id: ada.project }] })
  })

  await t.test('is refreshed where a token is refused', async (t) => {
    const late = createClient({
      baseUrl: identity.address,
      identityToken: {
        ...identityToken,
        refreshToken: kept.at(-1) as string,
        accessToken: 'worn',
        expiresAt: Date.now() + 600_000
      }
    })
    t.equal((await late.get('/v1/auth/me')).data.principalId, ada.id)
  })

  await t.test('that has ended says so, without the token', async (t) => {
    await personOf(identity, 'eve@example.com')
    const refreshToken = 'gone-and-forgotten'
    const ended = createClient({ baseUrl: identity.address, identityToken: { refreshToken }, retries: 0 })
    const error = await ended.get('/v1/auth/me').catch((thrown) => thrown)
    t.match(error, {
      name: 'ApiError',
      status: 401,
      type: 'authentication_error',
      message: /sign in once more/
    })
    t.notMatch(String(error.stack), refreshToken)
  })
})
