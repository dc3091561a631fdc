import { definePack } from 'agent-platform'
import { storageCapability } from './capability.ts'
import { createPlace } from './drivers/place.ts'
import { createObjectService } from './services/objects.ts'
import { createSweeps } from './services/sweeps.ts'
import { StorageSettings } from './settings.ts'
import { createObjectStore } from './store.ts'

/** Object storage: bytes by their digest, on disk or in S3, the same ones once. */
export default definePack({
  name: 'storage',
  area: 'Files and library',
  summary: 'content-addressed, deduplicated object storage on disk or S3',
  requires: ['jobs'],
  settings: StorageSettings,
  services: {
    place: createPlace,
    objectStore: createObjectStore,
    objectService: createObjectService,
    sweeps: createSweeps
  },
  exports: ({ objectService }) => objectService,
  contributes: {
    'jobs.worker': [{ key: 'storage.sweep', make: ({ sweeps }) => sweeps.worker }],
    'providers.capability': [{ key: 'storage', order: 60, make: storageCapability }]
  }
})
