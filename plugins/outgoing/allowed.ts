import { isIP } from 'node:net'
import type { IPv4, IPv6 } from 'ipaddr.js'
import { hostOf, parseAddress } from './addresses.ts'

/** What the operator lets be connected to, whatever it is. */
export interface Allowed {
  /** Whatever addresses this name has. */
  host(host: string, port: number): boolean
  address(address: string, port: number): boolean
}

interface Entry {
  readonly host?: string
  readonly range?: readonly [IPv4 | IPv6, number]
  /** Undefined: any. */
  readonly port?: number
}

/** Reads the setting `allow`; throws for what is no host, address or range, and for `*` in production. */
export function parseAllowed(text: string, production: boolean): Allowed {
  const parts = text.split(',').flatMap((part) => part.trim() || [])
  if (parts.includes('*')) {
    if (production) throw new Error('OUTGOING_ALLOW: * is for development, in production name the hosts')
    return { host: () => true, address: () => true }
  }
  const entries = parts.map(parseEntry)
  const some = (port: number, matches: (entry: Entry) => boolean | undefined) =>
    entries.some((entry) => (entry.port ?? port) === port && matches(entry))
  return {
    host: (host, port) => some(port, (entry) => entry.host === host.toLowerCase()),
    address(text, port) {
      const address = parseAddress(text)
      return address !== undefined && some(port, ({ range }) => range && within(address, range))
    }
  }
}

const within = (address: IPv4 | IPv6, [base, bits]: readonly [IPv4 | IPv6, number]) =>
  address.kind() === base.kind() && address.match(base as never, bits)

function parseEntry(text: string): Entry {
  const fault = new Error(`OUTGOING_ALLOW: ${JSON.stringify(text)} is no host, address or range`)
  const [, base, bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseAddress(base ?? text)
  if (address) {
    const whole = address.kind() === 'ipv4' ? 32 : 128
    if (Number(bits ?? 0) > whole || (bits && isIP(base ?? '') === 6 && whole === 32)) throw fault
    return { range: [address, Number(bits ?? whole)] }
  }
  const [, name = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const url = `http://${name}`
  if (/[*/?#@\\]/.test(name) || !URL.canParse(url) || Number(port) > 65_535) throw fault
  const host = hostOf(new URL(url))
  const ip = parseAddress(host)
  const place = ip ? { range: [ip, ip.kind() === 'ipv4' ? 32 : 128] as const } : { host }
  return port ? { ...place, port: Number(port) } : place
}
