import { definePack, grantRoutes } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../files/contract.ts'
import { createNetwork } from './addressing/network.ts'
import { preferenceRoutes } from './addressing/routes.ts'
import { ADDRESS_QUEUE, createAddressing } from './addressing/service.ts'
import { libraryPart } from './archive-part.ts'
import { listCapability, previewCapability, readCapability } from './capabilities.ts'
import { createDownloads } from './downloads.ts'
import { itemOfFile, itemOfFileGone } from './following.ts'
import { grants } from './granting/schemas.ts'
import { createGranting } from './granting/service.ts'
import { createPasswords } from './passwords.ts'
import { itemRoutes } from './routes.ts'
import { createItemService } from './service.ts'
import { LibrarySettings } from './settings.ts'
import { shareRoutes } from './share-routes.ts'
import { createSharing } from './sharing.ts'
import { createItemAccess } from './stores/access.ts'
import { createAddressStore } from './stores/addresses.ts'
import { createItemStore } from './stores/items.ts'

/** The library: what files there are, found, described and shown. */
export default definePack({
  name: 'library',
  area: 'Files and library',
  summary: 'browse, search, preview and share files',
  requires: ['agents', 'jobs', 'files', 'storage', 'extraction', 'outgoing'],
  settings: LibrarySettings,
  services: {
    itemAccess: createItemAccess,
    itemStore: createItemStore,
    granting: createGranting,
    addressStore: createAddressStore,
    network: createNetwork,
    addressing: createAddressing,
    itemService: createItemService,
    downloads: createDownloads,
    passwords: createPasswords,
    sharing: createSharing
  },
  routes: (app, deps) => {
    itemRoutes(app, deps)
    preferenceRoutes(app, deps)
    grantRoutes(app, '/library/:itemId', grants, deps.granting)
    shareRoutes(app, deps)
  },
  contributes: {
    'archives.part': [{ make: libraryPart }],
    'ui-plugins.capability': [
      { key: 'library.list', make: listCapability },
      { key: 'library.read', make: readCapability },
      { key: 'library.preview', make: previewCapability }
    ],
    'jobs.worker': [
      { key: ADDRESS_QUEUE, make: ({ addressing }) => ({ work: addressing.work, timeoutSeconds: 3_600 }) }
    ]
  },
  cascade: {
    'agents.deleted': { item_grant: () => grants.removeOfAgent },
    'library.deleted': { share_link: 'itemId', item_grant: 'itemId' }
  },
  on: { 'files.uploaded': itemOfFile, 'files.deleted': itemOfFileGone }
})
