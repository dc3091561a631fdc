import { connect } from 'node:net'
import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText } from './wire.ts'

// What is waited for here takes ten seconds of real time: all of it at once.
t.jobs = 20

const json = { 'content-type': 'application/json' }

t.test('who is slow', async (t) => {
  t.jobs = 20
  const { as, url, anyone } = await boot(t, { packs: ['probe'], folders: [await probeFolder(t)] })
  const auth = { authorization: `Bearer ${await as('ada').key()}` }
  /** Sends a byte again and again, as a caller does who is slow but there. */
  const trickle = (send: (byte: string) => void, byte: string, times: number) =>
    new Promise<void>((resolve) => {
      let sent = 0
      const timer = setInterval(() => {
        send(byte)
        if (++sent < times) return
        clearInterval(timer)
        resolve()
      }, 500)
    })

  t.test('with headers is cut off, however many bytes come', async (t) => {
    const wire = await openWire(t, url)
    wire.send('GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ')
    const timer = setInterval(() => wire.send('a'), 500)
    t.teardown(() => clearInterval(timer))
    refused(t, await wire.reply(), 408)
    await wire.closed
  })

  t.test('with a JSON body is cut off, however many bytes come', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/body', { ...auth, ...json, 'content-length': '1000' }))
    const timer = setInterval(() => wire.send(' '), 500)
    t.teardown(() => clearInterval(timer))
    refused(t, await wire.reply(), 408)
    await wire.closed
  })

  t.test('with a raw body is cut off when nothing comes', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/raw', { ...auth, 'content-length': '10' }))
    wire.send('begun')
    refused(t, await wire.reply(), 408)
    await wire.closed
  })

  t.test('with a raw body is waited for while bytes come', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/raw', { ...auth, 'content-length': '24' }))
    await trickle(wire.send, '.', 24)
    t.match(await wire.reply(), { status: 200, body: { data: { bytes: 24 } } })
  })

  t.test('with a streamed body is cut off when nothing comes', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/stream', { ...auth, 'content-length': '10' }))
    wire.send('begun')
    await wire.closed
    t.notMatch(wire.rest(), / 200 /)
  })

  t.test('with a streamed body is waited for while bytes come', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/stream', { ...auth, 'content-length': '24' }))
    await trickle(wire.send, '.', 24)
    t.match(await wire.reply(), { status: 200, body: { data: { bytes: 24 } } })
  })

  for (const [name, status, head] of [
    ['that no route reads', 200, () => requestText('GET', '/health', { 'content-length': '1000' })],
    ['behind a 401', 401, () => requestText('POST', '/v1/probe/body', { ...json, 'content-length': '1000' })],
    ['behind a 404', 404, () => requestText('PUT', '/v1/nope', { ...auth, 'content-length': '1000' })]
  ] as const)
    t.test(`with a body ${name} is cut off, however many bytes come`, async (t) => {
      const wire = await openWire(t, url)
      wire.send(head())
      t.match(await wire.reply(), { status })
      const timer = setInterval(() => wire.send('a'), 500)
      t.teardown(() => clearInterval(timer))
      await wire.closed
    })

  for (const [name, framing, piece] of [
    ['without a known length', { 'transfer-encoding': 'chunked' }, '1\r\na\r\n'],
    ['that is long', { 'content-length': '100000000' }, 'a'],
    ['that is sent as fast as can be', { 'content-length': '1000000000' }, 'a'.repeat(1_000_000)]
  ] as const)
    t.test(`with a body ${name} is told that the refusal ends the connection`, async (t) => {
      const wire = await openWire(t, url)
      wire.send(requestText('POST', '/v1/probe/body', { ...json, ...framing }))
      const reply = await wire.reply()
      refused(t, reply, 401)
      t.equal(reply.headers.get('connection'), 'close')
      const timer = setInterval(() => wire.send(piece), 20)
      t.teardown(() => clearInterval(timer))
      await wire.closed
      t.ok(wire.socket.bytesWritten < 200_000_000)
    })

  t.test('with a body, who does not heed that the connection ends, is cut off', async (t) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {}).resume()
    socket.write(requestText('POST', '/v1/probe/body', { ...json, 'content-length': '100000000' }))
    const timer = setInterval(() => socket.write('a'), 500)
    t.teardown(() => clearInterval(timer))
    await new Promise((resolve) => socket.once('close', resolve))
  })

  t.test('with the rest of a small body keeps the connection', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('POST', '/v1/probe/body', { ...json, 'content-length': '10' }))
    refused(t, await wire.reply(), 401)
    wire.send('0123456789')
    wire.send(requestText('GET', '/health'))
    t.match(await wire.reply(), { status: 200 })
  })

  t.test('in between requests is not hurried', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('GET', '/health'))
    t.match(await wire.reply(), { status: 200 })
    await trickle(() => {}, '', 24)
    wire.send(requestText('GET', '/health'))
    t.match(await wire.reply(), { status: 200 })
  })

  t.test('keeps no other caller from being served', async (t) => {
    t.match(await anyone.get('/health'), { status: 200 })
  })
})
