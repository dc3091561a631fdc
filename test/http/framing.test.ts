import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText, say } from './wire.ts'

t.test('how requests are framed', async (t) => {
  const { as, anyone, url } = await boot(t, 'goals', 'probe', { folders: [await probeFolder(t)] })
  const ada = as('ada')
  const authorization = `Bearer ${await ada.key()}`

  await t.test('HEAD answers as GET does, without a body', async (t) => {
    const agent = await ada.agent()
    for (const path of ['/health', '/health/ready', '/v1/agents', `/v1/agents/${agent.id}`, '/v1/auth/me']) {
      const [got, head] = [await ada.get(path), await ada.request('HEAD', path)]
      t.equal(head.status, got.status, path)
      t.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag'])
        t.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`)
    }
    const status = async (path: string, client = ada) => (await client.request('HEAD', path)).status
    t.equal(await status('/v1/agents', anyone), 401)
    t.equal(await status('/v1/agents?nope=1'), 400)
    t.equal(await status('/v1/nope'), 404)
    t.equal(await status('/v1/probe/body'), 404, 'what only POST knows')
    t.equal(await status(`/v1/agents/${agent.id}`, as('eve')), 403)
    t.equal(await status('/v1/agents', as('eve', { scopes: ['goals:write'] })), 403)
  })

  await t.test('HEAD of what has no end ends', async (t) => {
    for (const path of ['/v1/probe/endless', '/v1/probe/events']) {
      const wire = await openWire(t, url)
      wire.send(requestText('HEAD', path, { authorization, connection: 'close' }))
      await wire.closed
      t.match(wire.rest(), /^HTTP\/1.1 200 .*\r\n\r\n$/s, path)
    }
  })

  await t.test('a host that stands there twice', async (t) => {
    for (const [one, two] of [
      ['localhost', 'evil.example'],
      ['localhost', 'localhost']
    ]) {
      const text = `GET /v1/agents HTTP/1.1\r\nHost: ${one}\r\nhOsT: ${two}\r\nauthorization: ${authorization}\r\n\r\n`
      refused(t, await say(t, url, text), 400, { param: 'host' }, two)
    }
  })

  await t.test('a transfer coding beside chunked', async (t) => {
    for (const coding of ['gzip, chunked', 'identity, chunked']) {
      const head = { authorization, 'content-type': 'application/json', 'transfer-encoding': coding }
      refused(t, await say(t, url, requestText('POST', '/v1/agents', head)), 501, {}, coding)
    }
  })
})
