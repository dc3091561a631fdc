import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import t from 'tap'
import { startModelServer } from '../../../../test/model-server.ts'
import { untrusted } from './certificate-fixture.ts'
import { call, failureOf, testbed } from './testbed.ts'

t.test('a server that cannot be reached', async (t) => {
  const { server, model } = await testbed(t)
  const reached = (baseUrl: string) => failureOf(model('any', { baseUrl }).doStream(call()))
  await server.close()
  t.match(await reached(server.url), {
    message: 'test cannot be reached (ECONNREFUSED)',
    isRetryable: true,
    cause: { code: 'ECONNREFUSED' }
  })
  t.match(await reached('http://nowhere.invalid/v1'), {
    message: /^test cannot be reached \(E/,
    isRetryable: true
  })

  const mute = createServer((socket) => socket.destroy())
  await once(mute.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => mute.close())
  const { port } = mute.address() as { port: number }
  t.match(await reached(`http://127.0.0.1:${port}/v1`), {
    message: /^test cannot be reached/,
    isRetryable: true
  })
})

t.test('a server that cannot be trusted', async (t) => {
  const { model } = await testbed(t)
  const reached = (baseUrl: string) => failureOf(model('any', { baseUrl }).doStream(call()))
  const plain = await startModelServer(t)
  const untrustedCode = { message: /^test cannot be trusted \(/, isRetryable: false }
  t.match(await reached(plain.url.replace('http:', 'https:')), untrustedCode)
  t.match(await reached(await untrusted(t)), {
    ...untrustedCode,
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
  })
})

t.test('what is wrong with the request itself', async (t) => {
  const { model } = await testbed(t)
  const error = await failureOf(model('any', { apiKey: 'sk-one\nsk-two' }).doStream(call()))
  t.match(error, { message: 'test cannot be asked (UND_ERR_INVALID_ARG)', isRetryable: false })
  t.notMatch(inspect(error, { depth: 9 }), /sk-/)
})
