import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { duplexPair } from 'node:stream'
import t from 'tap'
import { boundUnread, cutUnread } from './unread-body.ts'

t.test('a connection that is no socket may break off in the middle of a body', async (t) => {
  const server = createServer()
  server.on('request', (request, response) => boundUnread(request, response))
  for (const socket of ['kept', null]) {
    const [inner, outer] = duplexPair()
    server.emit('connection', Object.assign(outer, { setTimeout: () => outer }))
    const asked = once(server, 'request')
    inner.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\nsome of it')
    const [request, response] = (await asked) as [IncomingMessage, ServerResponse]
    const closed = once(response, 'close')
    outer.destroy()
    await closed
    t.equal(request.complete, false)
    if (!socket) Object.assign(request, { socket })
    response.writeHead(401)
    t.equal(cutUnread(request), undefined, 'there is nothing left to cut')
  }
})
