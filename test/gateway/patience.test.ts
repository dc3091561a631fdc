import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText } from './wire.ts'

// What is waited for here takes ten seconds of real time: all of it at once.
t.jobs = 10

const json = { 'content-type': 'application/json' }

t.test('who is slow', { timeout: 60_000 }, async (t) => {
  t.jobs = 10
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

  t.test('in between requests is not hurried', async (t) => {
    const wire = await openWire(t, url)
    wire.send(requestText('GET', '/health'))
    t.match(await wire.reply(), { status: 200 })
    await trickle(() => {}, '', 24)
    wire.send(requestText('GET', '/health'))
    t.match(await wire.reply(), { status: 200 })
  })

  t.test('keeps nobody else from being served', async (t) => {
    t.match(await anyone.get('/health'), { status: 200 })
  })
})
