import type { Kernel } from 'agent-platform'
import { digestOf, forbidden, invalid, unavailable } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { AppStorageSettings } from '../settings.ts'
import type { Address } from '../stores/address.ts'
import { parseAddress } from '../stores/address.ts'
import type { DataStore, Place } from '../stores/data-store.ts'
import { failureOf } from '../stores/failures.ts'
import { openMongodb } from '../stores/mongodb-server.ts'
import type { Placement, Provider } from '../stores/placements.ts'
import { createPlatformStore } from '../stores/platform.ts'
import { openPostgresql } from '../stores/postgresql.ts'
import type { Pools } from './pools.ts'
import { createPools } from './pools.ts'

export type StoreConnections = ReturnType<typeof createStoreConnections>
/** Where a store is, as it is kept: sealed. */
export type Location = Place & { readonly provider: Provider; readonly connection: string | null }
export interface Credentials {
  readonly url: string
  readonly ca?: string | undefined
}

interface Deps extends Pick<Kernel, 'knex' | 'shared' | 'vault'> {
  settings: AppStorageSettings
  outgoing: Outgoing
}

/** Stores by where they are: the platform's own, and those outside, by few connections that are closed when nobody needs them. */
export function createStoreConnections({ knex, shared, vault, settings, outgoing }: Deps) {
  const secrets = vault.at('app_storage.placement', 'connection')
  const platform = createPlatformStore({ knex }, settings.statementMs)
  let pools: Pools | undefined

  /** 400 for an address that its spelling or the settings forbid. */
  function parse(provider: Exclude<Provider, 'platform'>, { url, ca }: Credentials): Address {
    if (!settings.outside)
      throw forbidden('The operator lets data of apps lie in the platform alone', { code: 'outside_off' })
    const address = parseAddress(provider, url, ca)
    if (settings.requireTls && address.tls !== 'verified')
      throw invalid('/connection/url', 'TLS with a trusted certificate is required here', 'tls_required')
    return address
  }

  /** Does that with a store outside. Fails with what it has to do with the app’s request, or a 502 or 504. */
  async function at<T>(place: Place, address: Address, work: (store: DataStore) => Promise<T>): Promise<T> {
    if (!pools) throw unavailable('The pack does not serve yet')
    const { statementMs, connectMs, connections, schema } = settings
    const open = address.provider === 'mongodb' ? openMongodb : openPostgresql
    const opening = { address, lookup: outgoing.lookup, statementMs, connectMs, connections, schema }
    return pools
      .use(digestOf([place.project, place.appId, address]), () => open(opening), work)
      .catch((error) => {
        throw failureOf(error)
      })
  }

  return {
    parse,
    at,
    seal: ({ project, appId }: Place, credentials: Credentials) =>
      secrets.seal(project, appId, JSON.stringify(credentials)),

    async unseal({ project, appId, connection }: Location): Promise<Credentials> {
      return JSON.parse(await secrets.open(project, appId, connection ?? ''))
    },

    /** Does that with the store that is there. */
    async use<T>(location: Location, work: (store: DataStore) => Promise<T>): Promise<T> {
      if (location.provider === 'platform') return work(platform)
      const credentials: Credentials = JSON.parse(
        await secrets.open(location.project, location.appId, location.connection ?? '')
      )
      return at(location, parse(location.provider, credentials), work)
    },

    async open(): Promise<void> {
      // What another version or other settings refuse, connections of these must not reach.
      pools = await shared(
        `app-storage/pools/${import.meta.url}/${JSON.stringify(settings)}`,
        async () => createPools(settings),
        (it) => it.close()
      )
    }
  }
}

export const targetOf = ({ project, appId, target, targetConnection }: Placement): Location => {
  return { project, appId, provider: target as Provider, connection: targetConnection }
}
