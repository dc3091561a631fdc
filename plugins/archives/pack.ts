import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../provenance/contract.ts'
import type {} from './contract.ts'
import { archiveRoutes } from './routes.ts'
import { createExportService, EXPORT_QUEUE } from './services/exports.ts'
import { createImportService, IMPORT_QUEUE } from './services/imports.ts'
import { createOpening } from './services/opening.ts'
import { createParts } from './services/parts.ts'
import { createReading } from './services/reading.ts'
import { createWriting } from './services/writing.ts'
import { ArchiveSettings } from './settings.ts'
import { createExportStore } from './stores/exports.ts'
import { createImportStore } from './stores/imports.ts'

/** Archives: an agent with everything that packs keep of it, out of one platform and into another. */
export default definePack({
  name: 'archives',
  area: 'Agents',
  summary: 'export and import of an agent with all its data, as one signed file',
  requires: ['agents', 'files', 'jobs'],
  uses: ['provenance'],
  settings: ArchiveSettings,
  services: {
    exportStore: createExportStore,
    importStore: createImportStore,
    parts: createParts,
    writing: createWriting,
    opening: createOpening,
    reading: createReading,
    exportService: createExportService,
    importService: createImportService
  },
  routes: archiveRoutes,
  contributes: {
    'jobs.worker': [
      {
        key: EXPORT_QUEUE,
        make: ({ exportService }) => ({ work: exportService.work, concurrency: 2, timeoutSeconds: 14_400 })
      },
      {
        key: IMPORT_QUEUE,
        make: ({ importService }) => ({ work: importService.work, concurrency: 2, timeoutSeconds: 14_400 })
      }
    ]
  },
  resume: ({ opening }) => opening.removeOld()
})
