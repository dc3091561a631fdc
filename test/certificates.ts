import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}
interface Subject {
  readonly name: string
  /** Host names and addresses of IPv4 that it is for. */
  readonly hosts?: readonly string[]
  /** As `20200101000000Z`. */
  readonly until?: string
}

const der = (tag: number, ...contents: Uint8Array[]) => {
  const content = Buffer.concat(contents)
  const { length } = content
  // The shortest form, which Go insists on.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (value: Uint8Array) => der(0x03, Buffer.from([0]), value)
const time = (value: string) => der(0x18, Buffer.from(value))
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(text)))))
const extension = (hex: string, value: Uint8Array) => sequence(identifier(hex), der(0x04, value))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))

const hostOf = (host: string) =>
  /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))

let serial = 0

function issue({ name, hosts, until = '29990101000000Z' }: Subject, issuer?: Issuer) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(++serial),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time('20200101000000Z'), time(until)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(hosts ? extension('551d11', sequence(...hosts.map(hostOf))) : isAuthority))
  )
  const signature = bits(sign('sha256', signed, issuer?.privateKey ?? privateKey))
  const text = sequence(signed, ecdsaWithSha256, signature).toString('base64')
  return {
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
  }
}
interface Issuer {
  readonly name: string
  readonly privateKey: KeyObject
}

/** A key, and a certificate for these hosts that it signed itself. */
export const selfSigned = (hosts: readonly string[] = ['localhost']): Certificate =>
  issue({ name: 'Itself', hosts })

/** An authority of one's own, such as a database at home has its certificate from; two of the same name are told apart by their keys. */
export function certificateAuthority(name = 'Authority') {
  const { cert, privateKey } = issue({ name })
  return {
    cert,
    issue: (hosts: readonly string[], until?: string): Certificate =>
      issue({ name: 'Server', hosts, ...(until !== undefined && { until }) }, { name, privateKey })
  }
}
