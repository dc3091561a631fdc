import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'

const der = (tag: number, ...contents: Uint8Array[]) => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const time = (value: string) => der(0x18, Buffer.from(value))

/** A key, and a certificate that it signed itself. */
function selfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const name = sequence()
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('29990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' })
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey))
  const certificate = sequence(signed, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`
  }
}

/** The address of a server whose certificate is unknown. */
export async function untrusted(t: { teardown(work: () => unknown): unknown }): Promise<string> {
  const server = createServer(selfSigned(), (socket) => socket.destroy())
  server.on('tlsClientError', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
