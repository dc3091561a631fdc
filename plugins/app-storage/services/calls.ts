import type { Principal } from 'agent-platform'
import { notFound, unavailable, unlessAborted } from 'agent-platform'
import type { StorageInstallation } from '../methods/asking.ts'
import { documents } from '../methods/documents.ts'
import type { Asked } from '../methods/key-values.ts'
import { keyValues, undeclared } from '../methods/key-values.ts'
import { checked, isMethod } from '../methods/parameters.ts'
import type { AppStorageSettings } from '../settings.ts'
import type { DataStore, Json } from '../stores/data-store.ts'
import { NotLive } from '../stores/data-store.ts'
import type { PlacementStore } from '../stores/placements.ts'
import type { Location, StoreConnections } from './connections.ts'
import { createTurns } from './turns.ts'

interface Deps {
  settings: AppStorageSettings
  placementStore: PlacementStore
  storeConnections: StoreConnections
}
type Work = (asked: Asked) => Promise<Json>

export type StorageCalls = ReturnType<typeof createStorageCalls>

/** What apps ask of their storage. */
export function createStorageCalls({ settings, placementStore, storeConnections }: Deps) {
  const { callsOfApp, callsInAll } = settings
  const ofPlatform = createTurns(callsOfApp, callsInAll)
  const outside = createTurns(callsOfApp, Number.POSITIVE_INFINITY)

  /** What the app asks for, with its parameters looked at before any store is. */
  function workOf({ storage }: StorageInstallation, method: string, params: unknown): Work {
    if (!isMethod(method)) throw notFound(`Method ${method.slice(0, 100)}`)
    if (Object.hasOwn(keyValues, method)) {
      if (!storage?.keyValue) throw undeclared('values by key')
      const name = method as keyof typeof keyValues
      const values = checked(name, params)
      if (values.scope === 'app' && storage.keyValue !== 'app')
        throw undeclared('values that its users share')
      return (asked) => keyValues[name](asked, values as never)
    }
    const name = method as keyof typeof documents
    const values = checked(name, params)
    const collection = storage?.collections?.find((it) => it.name === values.collection)
    if (!collection) throw undeclared('that collection')
    return (asked) =>
      documents[name]({ ...asked, at: asked.shelf(collection.name, collection.scope) }, values as never)
  }

  /**
   * Does what an app asks for, on behalf of `by`: what is kept for each user lies under `by.owner`. Gives JSON. Fails with 400,
   * `param` being a pointer into the parameters; 403 `storage_not_declared`; 409 `already_exists`; 412 `version_conflict`;
   * 413 `value_too_large`; 429; 507 `quota_exceeded`; 503 `store_moving` with `Retry-After`; 504 `query_timeout`; and 502 with a
   * code where a store outside fails. When the signal is aborted it rejects with its reason; what was begun may be done.
   */
  async function call(
    app: StorageInstallation,
    by: Principal,
    method: string,
    params: unknown,
    signal: AbortSignal
  ) {
    const work = workOf(app, method, params)
    const { project, id: appId, storage } = app
    const quota = {
      bytes: Math.min(settings.quotaBytes, storage?.quotaBytes ?? settings.quotaBytes),
      rows: settings.quotaRows
    }
    const shelf: Asked['shelf'] = (collection, scope) => {
      return { project, appId, collection, holder: scope === 'app' ? '' : by.owner }
    }
    const done = inTurn({ project, appId }, signal, (store) => work({ store, quota, shelf }))
    return unlessAborted(signal, done)
  }

  async function inTurn(
    place: { readonly project: string; readonly appId: string },
    signal: AbortSignal,
    work: (store: DataStore) => Promise<Json>
  ): Promise<Json> {
    for (let attempt = 1; ; attempt++) {
      const found = await placementStore.find(place)
      const { provider, connection }: Pick<Location, 'provider' | 'connection'> = found ?? {
        provider: 'platform',
        connection: null
      }
      const turns = provider === 'platform' ? ofPlatform : outside
      try {
        return await turns(`${place.project}/${place.appId}`, signal, () =>
          storeConnections.use({ ...place, provider, connection }, work)
        )
      } catch (error) {
        if (!(error instanceof NotLive)) throw error
        // Another store may have taken over since the row was read.
        if (error.state !== 'moved' || attempt > 1)
          throw unavailable('The data of the app is moving; it takes no writes for a moment', {
            code: 'store_moving',
            headers: { 'retry-after': '1' }
          })
      }
    }
  }

  return { call }
}
