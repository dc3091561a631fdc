import { definePack } from 'agent-platform'
import type {} from '../jobs/contract.ts'
import type {} from '../outgoing/contract.ts'
import type {} from '../ui-plugins/contract.ts'
import { storageRoutes } from './routes.ts'
import { createStorageCalls } from './services/calls.ts'
import { createStoreConnections } from './services/connections.ts'
import { CLEAR_QUEUE, createLeftovers } from './services/leftovers.ts'
import { createMoves, MOVE_QUEUE } from './services/moves.ts'
import { createStorageProviders } from './services/providers.ts'
import { AppStorageSettings } from './settings.ts'
import { createPlacementStore } from './stores/placements.ts'

/** The data of third-party apps: values by key and documents, here or in a database of their owner’s. */
export default definePack({
  name: 'app-storage',
  area: 'Apps',
  summary: 'data storage for third-party apps, on the platform or in a database of the owner',
  requires: ['jobs', 'outgoing', 'ui-plugins'],
  settings: AppStorageSettings,
  services: {
    placementStore: createPlacementStore,
    storeConnections: createStoreConnections,
    storageCalls: createStorageCalls,
    leftovers: createLeftovers,
    moves: createMoves,
    storageProviders: createStorageProviders
  },
  start: ({ storeConnections }) => storeConnections.open(),
  routes: storageRoutes,
  cascade: {
    'ui-plugins.deleted': {
      placement: ({ leftovers }) => leftovers.removeOfApp,
      item: ({ placementStore }) => placementStore.removeItems,
      usage: ({ placementStore }) => placementStore.removeUsage
    }
  },
  contributes: {
    'ui-plugins.methods': [
      {
        key: 'storage',
        make: ({ storageCalls }) => ({
          call: (app, ...asked) => storageCalls.call({ ...app, storage: app.manifest.storage }, ...asked)
        })
      }
    ],
    'jobs.worker': [
      {
        key: MOVE_QUEUE,
        make: ({ moves }) => ({ work: moves.work, retries: 50, timeoutSeconds: 3_600, concurrency: 2 })
      },
      {
        key: CLEAR_QUEUE,
        make: ({ leftovers }) => ({ work: leftovers.work, retries: 20, timeoutSeconds: 3_600 })
      }
    ]
  }
})
