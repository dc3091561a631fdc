import t from 'tap'
import { caller, connect, register, stage } from './testbed.ts'
import { echo, json, toolServer } from './tool-server-fixture.ts'

t.test('servers that are shown a key', async (t) => {
  const { as } = await stage(t)
  const ada = as('ada')
  const value = 'sk-very-secret-value'
  const guarded = (header: string, expected: string) =>
    toolServer(t, 'legacy', echo, {
      admit({ headers }, reply) {
        if (headers[header] === expected) return true
        json(reply, 401, {})
        return false
      }
    })
  const key = async (client: typeof ada, host: string) => {
    const { status, body } = await client.post('/v1/tool-keys', { name: 'k', value, allowedHosts: [host] })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data.id as string
  }

  t.test('as a bearer, or in a header of its own', async (t) => {
    for (const [header, fields, expected] of [
      ['authorization', {}, `Bearer ${value}`],
      ['x-api-key', { name: 'X-Api-Key' }, value],
      ['x-token', { name: 'X-Token', scheme: 'Token' }, `Token ${value}`]
    ] as const) {
      const { url, host } = await guarded(header, expected)
      const auth = { type: 'key', keyId: await key(ada, host), ...fields }
      const { path, tools } = await connect(ada, { url, auth })
      const call = await caller(ada, tools)
      t.match((await call('echo', { message: 'hi' })).body.data, { output: 'Echo: hi' })
      t.notMatch((await ada.get(path)).text, /very-secret/)
      t.match(await ada.delete(`/v1/tool-keys/${auth.keyId}`), { status: 200 })
      t.match(
        (await call('echo', { message: 'hi' })).body.data,
        { isError: true },
        'it holds from the next call on'
      )
    }
  })

  t.test('that is theirs, and for their host', async (t) => {
    const { url, host } = await guarded('authorization', `Bearer ${value}`)
    const elsewhere = { type: 'key', keyId: await key(ada, 'api.example.com') }
    const others = { type: 'key', keyId: await key(as('eve'), host) }
    const param = '/auth/keyId'
    const refused = (auth: object) => ada.post('/v1/mcp/servers', { name: 'refused', url, auth })
    t.match(await refused(elsewhere), { status: 403, body: { error: { param } } })
    t.match(await refused(others), { status: 403, body: { error: { param, code: 'not_owner' } } })
    t.match(await refused({ type: 'key', keyId: 'tkey_nope' }), { status: 404, body: { error: { param } } })
    t.match(await refused({ ...others, name: 'Host' }), {
      status: 400,
      body: { error: { param: '/auth/name' } }
    })
    const keyId = await key(ada, host)
    const { id } = await register(ada, { url, auth: { type: 'key', keyId } })
    t.match(await ada.put(`/v1/mcp/servers/${id}`, { url: 'https://api.example.com/mcp' }), {
      status: 403,
      body: { error: { param } }
    })
  })
})
