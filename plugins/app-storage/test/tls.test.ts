import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import t from 'tap'
import type { Certificate } from '../../../test/certificates.ts'
import { certificateAuthority, selfSigned } from '../../../test/certificates.ts'
import { mongodbFixture } from './mongodb-fixture.ts'
import { postgresqlServer, stage } from './testbed.ts'

const booted = await stage(t, { env: { APP_STORAGE_REQUIRE_TLS: 'true' } })
const ada = booted.as('ada')
const { url: plain, way } = await postgresqlServer(t)

const home = certificateAuthority()
/** Of the same name, by another key. */
const other = certificateAuthority()
const third = certificateAuthority('Third')
const certificates = {
  good: home.issue(['localhost']),
  elsewhere: home.issue(['db.example.com', '127.0.0.2']),
  old: home.issue(['localhost'], '20210101000000Z'),
  itself: selfSigned()
}
type Kind = keyof typeof certificates

/** TLS in front of a PostgreSQL that has none: begins as a server does that is asked for it. Gives the port. */
async function withTls(certificate: Certificate): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    open.add(near.on('error', () => near.destroy()))
    near.once('data', (request) => {
      // SSLRequest: its length, and the number that stands where a version would.
      if (request.length !== 8 || request.readInt32BE(4) !== 80_877_103) return near.destroy()
      near.write('S')
      const inside = new TLSSocket(near, { isServer: true, ...certificate })
      const far = connect({ host: way.host, port: way.port })
      open.add(far)
      inside.on('error', () => far.destroy()).pipe(far)
      far.on('error', () => inside.destroy()).pipe(inside)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const urls = {
  async postgresql(kind: Kind, host: string) {
    const [, place] = /^(.*)127\.0\.0\.1:\d+(?=\/)/.exec(plain) ?? []
    const [, database] = /(\/\w+)\?/.exec(plain) ?? []
    return `${place}${host}:${await withTls(certificates[kind])}${database}`
  },
  async mongodb(kind: Kind, host: string) {
    const { port } = await mongodbFixture(t, { tls: certificates[kind] })
    return `mongodb://${host}:${port}/apps`
  }
}

for (const provider of ['postgresql', 'mongodb'] as const)
  t.test(`a ${provider} outside is talked to by TLS with a certificate that is trusted`, async (t) => {
    const app = await booted.app()
    const choose = async (kind: Kind, ca?: string, host = 'localhost') =>
      ada.put(app.path, {
        provider,
        connection: { url: await urls[provider](kind, host), ...(ca !== undefined && { ca }) }
      })
    const refused = (text: RegExp) => ({
      status: 502,
      body: { error: { code: 'certificate_refused', message: text } }
    })
    t.match(await choose('good'), refused(/not trusted/), 'of an authority that is not a usual one')
    t.match(await choose('itself'), refused(/not trusted/))
    t.match(await choose('good', other.cert), refused(/not trusted/), 'of another authority of that name')
    t.match(await choose('elsewhere', home.cert), refused(/another host/))
    t.match(await choose('elsewhere', home.cert, '127.0.0.1'), refused(/another host/))
    t.match(await choose('good', home.cert, '127.0.0.1'), refused(/another host/), 'an address is no name')
    t.match(await choose('old', home.cert), refused(/expired/))
    t.match((await ada.get(app.path)).body.data, { provider: 'platform', version: 0 }, 'nothing is kept')

    t.match(await choose('good', `${third.cert}${home.cert}`), { status: 200 }, 'of one of several')
    t.match(await app.settled(), { provider, status: 'ready' })
    const ask = app.as('ada')
    t.match(await ask('storage.set', { key: 'greeting', value: 'Hello' }), { version: 1 })
    t.match(await ask('storage.get', { key: 'greeting' }), { value: 'Hello' })
    // With another authority the same server is another one's.
    t.match(await choose('good', other.cert), { status: 502 })
    t.match(await ask('storage.get', { key: 'greeting' }), { value: 'Hello' })
  })
