import { definePack } from 'agent-platform'
import type {} from '../files/contract.ts'
import { createDownloads } from './downloads.ts'
import { itemRoutes } from './routes.ts'
import { createItemService, itemOfFile, itemOfFileGone } from './service.ts'
import { shareRoutes } from './share-routes.ts'
import { createSharing } from './sharing.ts'
import { createItemStore } from './store.ts'

/** The library: what files there are, found, described and shown. */
export default definePack({
  name: 'library',
  area: 'Files and library',
  summary: 'files as people find, describe and look at them',
  requires: ['files', 'storage', 'extraction'],
  services: {
    itemStore: createItemStore,
    itemService: createItemService,
    downloads: createDownloads,
    sharing: createSharing
  },
  routes: (app, deps) => {
    itemRoutes(app, deps)
    shareRoutes(app, deps)
  },
  cascade: { 'library.deleted': { share_link: 'itemId' } },
  on: { 'files.uploaded': itemOfFile, 'files.deleted': itemOfFileGone }
})
