import { definePack } from 'agent-platform'
import { createExtractionService } from './service.ts'
import { ExtractionSettings } from './settings.ts'

/** Text and previews out of documents that strangers wrote. */
export default definePack({
  name: 'extraction',
  area: 'Knowledge',
  summary: 'text and preview extraction from untrusted documents, in a sandboxed process',
  settings: ExtractionSettings,
  services: { extractionService: createExtractionService },
  exports: ({ extractionService }) => extractionService,
  stop: async ({ extractionService }) => extractionService.close()
})
