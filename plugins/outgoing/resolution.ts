import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name; rejects where there are none. `named`: the operator named it. */
export type Resolve = (host: string, named: boolean) => Promise<readonly LookupAddress[]>

/**
 * What an operator names is found as the system does, with hosts file and search domains; what users name by DNS
 * alone, which takes none of the few threads that files and hashes need, however slow a name server is.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (host, named) => {
    if (named) return lookup(host, { all: true })
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((all) => all.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(host).then((all) => all.map((address) => ({ address, family: 6 })))
    ])
    const found = answers.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
    if (found.length > 0) return found
    throw (answers[0] as PromiseRejectedResult).reason
  }
}
