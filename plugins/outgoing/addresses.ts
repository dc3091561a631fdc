import { isIP } from 'node:net'
import type { IPv4, IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'

const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Public by its number only: the machine's own host answers there, with its secrets, in Azure. */
const HOST_OF_AZURE = '168.63.129.16'

/**
 * An address as the system connects to it: IPv4 in the coat of IPv6 is IPv4. Undefined for all else, such as one
 * with a zone, which is a place on this machine's links.
 */
export function parseAddress(text: string): IPv4 | IPv6 | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  // ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4; in plain hexadecimal there is nothing to take it for.
  return ipaddr.process(isIP(text) === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1))
}

/** Whether everyone may reach it: a unicast address of the internet, and nothing that leads elsewhere. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (!address) return false
  if (address instanceof ipaddr.IPv4) return isPublicV4(address)
  // In a network of IPv6 alone every IPv4 server has such an address.
  if (address.match(NAT64)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(-4)))
  return address.range() === 'unicast' && address.match(GLOBAL_V6)
}

const isPublicV4 = (address: IPv4) => address.range() === 'unicast' && address.toString() !== HOST_OF_AZURE

/** The host of a URL as names are compared: no brackets, no dot at the end. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** What a host stands for without being resolved: an address for itself, `localhost` for this machine. */
export function knownAddresses(host: string): readonly string[] | undefined {
  if (isIP(host) !== 0) return [host]
  return /(^|\.)localhost$/i.test(host) ? ['127.0.0.1', '::1'] : undefined
}

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))
