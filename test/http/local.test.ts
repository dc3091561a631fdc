import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { requestText, say } from './wire.ts'

t.test('authentication switched off', async (t) => {
  const folders = [await probeFolder(t)]
  const env = { API_AUTH_REQUIRED: 'false', CORS_ORIGINS: 'https://app.example' }
  const { anyone, url } = await boot(t, { folders, env })
  const from = (host: string, more: Record<string, string> = {}, path = '/v1/auth/me') =>
    say(t, url, requestText('GET', path, { host, ...more }))

  t.match(await anyone.get('/v1/auth/me'), {
    status: 200,
    body: { data: { principalId: 'local', principalType: 'user', project: 'default' } }
  })
  const agent = await anyone.agent()
  t.match(await anyone.get(`/v1/agents/${agent.id}`, { authorization: 'Bearer nonsense' }), { status: 200 })
  t.match(await anyone.get('/v1/packs'), { status: 200 })
  refused(t, await anyone.get('/v1/auth/me', { 'x-initiator': 'ann' }), 403)

  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:80', '127.1.2.3', '[::1]:3000'])
    t.match(await from(host), { status: 200 }, host)
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '192.168.1.5:3000',
    '0.0.0.0',
    'localhost@evil.example',
    'evil.example#localhost',
    'localhost/evil',
    'x@localhost',
    'localhost:3000:80',
    'localhost?',
    'localhost#',
    ' ',
    '127.0.0.1.nip.io'
  ])
    refused(t, await from(host), 403, {}, `host ${host}`)
  for (const [host, origin] of [
    ['localhost:3000', 'http://localhost:3000'],
    ['LOCALHOST:3000', 'http://localhost:3000'],
    ['127.0.0.1:80', 'http://127.0.0.1'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['localhost', 'https://app.example']
  ] as const)
    t.match(await from(host, { origin }), { status: 200 }, origin)
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'file://',
    '',
    'http://localhost',
    'http://localhost:8080',
    'https://localhost:3000',
    'http://127.0.0.1:3000',
    'http://localhost:3000/'
  ])
    refused(t, await from('localhost:3000', { origin }), 403, {}, `origin ${origin}`)

  for (const path of ['/v1/probe/public', '/.well-known/jwks.json', '/v1/probe/by/x'])
    refused(t, await from('evil.example', {}, path), 403, {}, path)
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  refused(
    t,
    await from('localhost', { ...upgrade, origin: 'https://evil.example' }, '/v1/probe/socket'),
    403,
    {},
    'a socket'
  )
  refused(t, await from('evil.example', upgrade, '/v1/probe/socket'), 403)
  t.match(await from('localhost', upgrade, '/v1/probe/socket'), { status: 101 })
  t.match(await from('evil.example', {}, '/health'), { status: 200 }, 'health is for anyone')
})
