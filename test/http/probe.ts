import { EventEmitter } from 'node:events'
import { packText, temporaryFolder, writeFiles } from '../pack-folders.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** What every failure of the probe says to itself, and must not say to a caller. */
export const SECRET = 'hunter2-of-the-probe'

const place = Symbol.for('agent-platform test probe')
const shared = globalThis as { [place]?: EventEmitter }
shared[place] ??= new EventEmitter()
/** Tells `held` when a request to /v1/probe/hold is in its handler, `opened` of a socket; hears `release`. */
export const probe: EventEmitter = shared[place]

const routes = `
  uses: ['agents'],
  routes(app, { knex, agents }) {
    const secret = '${SECRET}'
    const config = {}
    app.get('/probe/throw', { schema: {} }, async () => {
      throw new Error('select * from kernel.credential where key = ' + secret)
    })
    app.get('/probe/throw-now', { schema: {} }, () => {
      throw Object.assign(new TypeError(secret), { statusCode: 599, code: secret, param: secret })
    })
    app.get('/probe/throw-null', { schema: {} }, async () => {
      throw null
    })
    app.get('/probe/throw-text', { schema: {} }, async () => {
      throw secret
    })
    app.get('/probe/sql', { schema: {} }, async () => {
      await knex.raw('select ? from "no_such_table"', [secret])
    })
    app.get('/probe/full', { schema: {} }, async () => {
      await knex.raw("do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$")
    })
    app.get('/probe/no-space', { schema: {} }, async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    })
    app.get('/probe/no-file', { schema: {} }, () => readFile('/no/such/file'))
    app.get('/probe/no-server', { schema: {} }, () => once(connect(1, '127.0.0.1'), 'connect'))
    app.get('/probe/broken', { schema: { response: { 200: {
      type: 'object', required: ['data'], properties: { data: { type: 'object', required: ['name'],
        properties: { name: { type: 'string' } } } } } } } }, async () => ({ data: { secret } }))
    app.get('/probe/query', { schema: { querystring: { type: 'object', properties: {
      count: { type: 'integer', minimum: 1 }, on: { type: 'boolean' }, name: { type: 'string' },
      list: { type: 'array', items: { type: 'string' } } } } } }, async ({ query }) => ({ data: query }))
    app.post('/probe/body', { schema: { body: { type: 'object', required: ['name'], properties: {
      name: { type: 'string' }, count: { type: 'integer' }, ratio: { type: 'number' }, on: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      inner: { type: 'object', required: ['deep'], properties: { deep: { type: 'integer' } } },
      'a/b~c': { type: 'string' }, open: {} } } } }, async ({ body }) => ({ data: body }))
    app.post('/probe/raw', { schema: {}, config: { body: 'raw', bodyLimit: 4_000_000 } }, async ({ body }) => ({
      data: { bytes: body.length } }))
    app.post('/probe/stream', { schema: {}, config: { body: 'stream' } }, async ({ raw }) => {
      let bytes = 0
      for await (const chunk of raw) bytes += chunk.length
      return { data: { bytes } }
    })
    app.get('/probe/endless', { schema: {} }, (request, reply) => {
      const stream = new Readable({ read() {} })
      stream.push('begun ')
      request.raw.once('close', () => stream.destroy())
      reply.type('text/plain').send(stream)
    })
    app.get('/probe/events', { schema: {} }, (request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.flushHeaders()
    })
    app.post('/probe/hold', { schema: {} }, async () => {
      const released = once(probe, 'release')
      probe.emit('held')
      await released
      return { data: { released: true } }
    })
    app.post('/probe/flaky', { schema: {} }, async () => {
      attempts += 1
      if (attempts === 1) throw new Error(secret)
      return { data: { attempts } }
    })
    app.get('/probe/public', { schema: {}, config: { by: 'public' } }, async ({ ip }) => ({ data: { ip } }))
    app.get('/probe/by/:token', { schema: {}, config: { by, scope: [] } }, async ({ principal }) => ({
      data: { id: principal.id } }))
    app.post('/probe/people', { schema: {}, config: { principals: ['user', 'service'] } }, async () => ({ data: {} }))
    app.post('/probe/sensitive', { schema: {}, config: { limit: 'sensitive' } }, async () => ({ data: {} }))
    app.get('/probe/agents/:id', { schema: { params: { type: 'object', properties: { id: { type: 'string' } } } } },
      async ({ principal, params }) => {
        for (let time = 0; time < 3; time++) await agents.owned(principal, params.id, 'read')
        return { data: {} }
      })
    app.get('/probe/admin', { schema: {}, config: { scope: ['platform:admin'] } }, async () => ({ data: {} }))
    app.put('/probe/both', { schema: { body: { type: 'object', properties: { agentId: { type: 'string' } } } } },
      async ({ principal, body }) => ({ data: { principal: principal.id, ...body } }))
  },
  upgrade: {
    '/probe/socket': { open: () => (request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\\r\\nconnection: upgrade\\r\\nupgrade: websocket\\r\\n\\r\\n')
      probe.emit('opened', socket)
    } },
    '/probe/sockets/:token': { by: () => by, scope: [], principals: ['user'], open: () => (_, socket, __, { id }, { token }) =>
      socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: ' + id.length + '\\r\\n\\r\\n' + id) }
  }`

const before = `import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { unauthenticated } from 'agent-platform'
const probe = globalThis[Symbol.for('agent-platform test probe')]
let attempts = 0
const by = async ({ params, query }) => {
  if (params.token !== '${SECRET}' || query.refuse) throw unauthenticated('No such token')
  return { id: 'bearer', type: query.as ?? 'user', project: 'default', owner: 'bearer', scopes: new Set(),
    narrowed: true, credential: 'path' }
}`

/** A folder with one pack, `probe`, that does what no good pack does. */
export async function probeFolder(t: Scope): Promise<string> {
  const folder = await temporaryFolder(t)
  return writeFiles(folder, { 'probe/pack.ts': packText('probe', routes, before) })
}
