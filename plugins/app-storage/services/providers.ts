import type { Kernel, Principal } from 'agent-platform'
import { conflict, invalid, newId, preconditionFailed } from 'agent-platform'
import type { OwnedApp, UiPlugins } from '../../ui-plugins/contract.ts'
import type { AppStorageState, AppStorageStateChanges } from '../schemas.ts'
import type { AppStorageSettings } from '../settings.ts'
import type { Address } from '../stores/address.ts'
import { shownAddress } from '../stores/address.ts'
import type { Place } from '../stores/data-store.ts'
import type { Placement, PlacementStore, Provider } from '../stores/placements.ts'
import type { Credentials, StoreConnections } from './connections.ts'
import { targetOf } from './connections.ts'
import type { Leftovers } from './leftovers.ts'
import type { Moves } from './moves.ts'
import { still } from './moves.ts'

export type StorageProviders = ReturnType<typeof createStorageProviders>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  'ui-plugins': UiPlugins
  settings: AppStorageSettings
  placementStore: PlacementStore
  storeConnections: StoreConnections
  leftovers: Leftovers
  moves: Moves
}
interface Wanted {
  readonly provider: Provider
  readonly credentials?: Credentials
  readonly address?: Address
}

/** Where the data of an app lies, as its owner chooses. */
export function createStorageProviders(deps: Deps) {
  const { transaction, facts, settings, placementStore, storeConnections, leftovers, moves } = deps
  const uiPlugins = deps['ui-plugins']

  async function read(by: Principal, pluginId: string): Promise<AppStorageState> {
    const app = await uiPlugins.owned(by, pluginId, 'change')
    return show(app, await placementStore.find(placeOf(app)))
  }

  async function show(app: OwnedApp, row: Placement | undefined): Promise<AppStorageState> {
    const { provider = 'platform', connection = null, target = null } = row ?? {}
    // The store outside may be away; where the data lies can be looked at, and changed, all the same.
    const used = await storeConnections
      .use({ ...placeOf(app), provider, connection }, (store) => store.usage(placeOf(app)))
      .then((usage) => ({ bytes: usage?.bytes ?? 0, rows: usage?.rows ?? 0 }))
      .catch(() => null)
    const { quotaBytes = settings.quotaBytes } = app.manifest.storage ?? {}
    return {
      id: app.id,
      pluginId: app.pluginId,
      provider,
      connection: { set: connection !== null, host: row?.host ?? null },
      status: target === null ? 'ready' : row?.failure ? 'failed' : 'moving',
      target: target && {
        provider: target,
        connection: { set: row?.targetConnection !== null, host: row?.targetHost ?? null }
      },
      moved: row?.moved ?? 0,
      total: row?.total ?? 0,
      failure: row?.failure ?? null,
      used,
      quota: { bytes: Math.min(quotaBytes, settings.quotaBytes), rows: settings.quotaRows },
      version: row?.version ?? 0,
      updatedAt: row && row.version > 0 ? row.updatedAt : null
    }
  }

  async function update(
    by: Principal,
    pluginId: string,
    changes: AppStorageStateChanges,
    version?: number
  ): Promise<AppStorageState> {
    const app = await uiPlugins.owned(by, pluginId, 'change')
    const row = await placementStore.find(placeOf(app))
    checkVersion(row, version)
    const wanted = wantedOf(changes, row)
    const changed = await choose(by, app, row, wanted, version)
    return show(app, changed ?? row)
  }

  /** What the body says, with what is not said as it is. */
  function wantedOf(changes: AppStorageStateChanges, row: Placement | undefined): Wanted {
    const provider = changes.provider ?? row?.provider ?? 'platform'
    const { url, ca } = changes.connection ?? {}
    if (provider === 'platform') {
      if (url !== undefined) throw invalid('/connection/url', 'The platform’s own store has no address')
      return { provider }
    }
    if (url === undefined) {
      if (ca !== undefined) throw invalid('/connection/ca', 'Goes with the address that it is for')
      if (provider === row?.provider || provider === row?.target) return { provider }
      throw invalid('/connection/url', `${provider} needs an address`)
    }
    const credentials = { url, ...(ca !== undefined && { ca }) }
    return { provider, credentials, address: storeConnections.parse(provider, credentials) }
  }

  async function choose(
    by: Principal,
    app: OwnedApp,
    row: Placement | undefined,
    wanted: Wanted,
    version: number | undefined
  ): Promise<Placement | undefined> {
    const { provider, address } = wanted
    if (row?.target) {
      if (provider === row.target && !address) return resume(app, row)
      if (provider === row.provider && !address) return callOff(app, row)
      throw conflict('The data is moving: let it arrive, or choose the store where it lies', {
        code: 'store_moving'
      })
    }
    if (provider === (row?.provider ?? 'platform') && !address) return row
    const place = placeOf(app)
    const isSame = address ? await tested(place, row, address) : false
    return begin(by, app, wanted, isSame, version)
  }

  /** Connects, and makes what is missing there. Whether it is the store where the data lies already. */
  async function tested(place: Place, row: Placement | undefined, address: Address): Promise<boolean> {
    const now = {
      ...place,
      provider: row?.provider ?? 'platform',
      connection: row?.connection ?? null
    } as const
    const { identity, usage } = await storeConnections.at(place, address, async (store) => {
      return { identity: store.identity, usage: await store.usage(place) }
    })
    const current = await storeConnections.use(now, async (store) => store.identity).catch(() => undefined)
    if (identity === current) return true
    if (usage?.state === 'live' && usage.rows > 0)
      throw conflict('The store has data of this app already', { code: 'store_not_empty' })
    return false
  }

  async function begin(
    by: Principal,
    app: OwnedApp,
    { provider, credentials, address }: Wanted,
    isSame: boolean,
    version: number | undefined
  ): Promise<Placement> {
    const place = placeOf(app)
    const connection = credentials ? await storeConnections.seal(place, credentials) : null
    const host = address ? shownAddress(address) : null
    return transaction(async (trx) => {
      const now = await placementStore.lock(trx, { ...place, owner: app.owner })
      checkVersion(now, version)
      if (now.target) throw conflict('The data is moving', { code: 'store_moving' })
      const edit = { version: now.version + 1, updatedAt: new Date().toISOString() }
      if (isSame) return placementStore.update(trx, place, { connection, host, ...edit })
      const token = newId('move')
      const target = { target: provider, targetConnection: connection, targetHost: host, token }
      const data = { id: app.id, from: now.provider, to: provider }
      await facts.record(trx, 'app-storage.provider_chosen', by, { subject: app.id, owner: app.owner, data })
      await moves.begin(trx, place, token)
      return placementStore.update(trx, place, { ...still, ...target, ...edit })
    })
  }

  /** Goes on with a move that failed, or is under way. */
  const resume = (app: OwnedApp, { token }: Placement): Promise<Placement | undefined> =>
    transaction(async (trx) => {
      const place = placeOf(app)
      if (
        token === null ||
        !(await placementStore.updateMove(place, token, { failure: null, tries: 0 }, trx))
      )
        return undefined
      await moves.begin(trx, place, token)
      return placementStore.find(place, trx)
    })

  /** The data stays where it is, unless all of it has arrived by now. */
  async function callOff(app: OwnedApp, row: Placement): Promise<Placement | undefined> {
    const place = placeOf(app)
    const token = row.token as string
    return transaction(async (trx) => {
      const now = await placementStore.lock(trx, { ...place, owner: app.owner })
      if (now.token !== token) return now
      if (now.isSwitching) throw conflict('All of the data has arrived', { code: 'store_moving' })
      await leftovers.add(trx, { ...targetOf(now), token, whole: true }, 0)
      const edit = { version: now.version + 1, updatedAt: new Date().toISOString() }
      return placementStore.update(trx, place, { ...still, ...edit })
    })
  }

  return { read, update }
}

const placeOf = ({ project, id }: OwnedApp): Place => ({ project, appId: id })

function checkVersion(row: Placement | undefined, version: number | undefined): void {
  if (version === undefined || (row?.version ?? 0) === version) return
  throw preconditionFailed(
    'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
  )
}
