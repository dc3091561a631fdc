import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { upstreamFailed } from 'agent-platform'
import { buildConnector } from 'undici'
import { hostOf, isPublic, knownAddresses, portOf } from './addresses.ts'
import type { Allowed } from './allowed.ts'
import type { Resolve } from './resolution.ts'

export type Guard = ReturnType<typeof createGuard>

/** Names the host as it was given, never what it resolved to. */
export const refused = (host: string) =>
  upstreamFailed(`Connecting to ${host} is not allowed`, { code: 'address_refused' })

/** Decides which addresses may be connected to. */
export function createGuard(allowed: Allowed, resolve: Resolve) {
  const mayConnect = (host: string, port: number): ((address: string) => boolean) =>
    allowed.host(host, port) ? () => true : (it) => isPublic(it) || allowed.address(it, port)

  /** Whether its spelling alone tells that none of its addresses may be connected to. */
  function forbids(url: URL): boolean {
    const host = hostOf(url)
    return knownAddresses(host)?.some(mayConnect(host, portOf(url))) === false
  }

  /**
   * How a socket to that origin finds its addresses. What is checked is what is connected to: a name is resolved once a
   * connection, and the socket gets those of its addresses that may be connected to.
   */
  function lookupOf(origin: URL): LookupFunction {
    const host = hostOf(origin)
    const port = portOf(origin)
    const may = mayConnect(host, port)
    const known = knownAddresses(host)?.map((address) => ({ address, family: isIP(address) }))

    return (hostname, { all }, callback) => {
      const found = known ? Promise.resolve(known) : resolve(hostname, allowed.host(host, port))
      found.then(
        (addresses) => {
          const open = addresses.filter(({ address }) => may(address))
          const [first] = open
          if (!first) callback(refused(host), '')
          else if (all) callback(null, [...open])
          else callback(null, first.address, first.family)
        },
        (error) => callback(error, '')
      )
    }
  }

  function connectorTo(origin: URL, timeout: number): buildConnector.connector {
    const connect = buildConnector({ timeout, lookup: lookupOf(origin) })
    // An address is connected to without a lookup.
    return (options, callback) => {
      if (forbids(origin)) callback(refused(hostOf(origin)), null)
      else connect(options, callback)
    }
  }

  return { forbids, lookupOf, connectorTo }
}
