import type { App } from 'agent-platform'
import { importDocuments, readImport } from '../schemas/imports.ts'
import type { FileSources } from '../services/file-sources.ts'
import type { ImportService } from '../services/imports.ts'
import { readImportBody } from './import-bodies.ts'

interface Deps {
  importService: ImportService
  fileSources: FileSources
}

const MOST_BYTES = 67_108_864

export function importRoutes(app: App, { importService, fileSources }: Deps) {
  const config = { body: 'raw', bodyLimit: MOST_BYTES } as const

  app.post('/knowledge/:spaceId/import', { schema: importDocuments, config }, async (request) => {
    const { principal, params, query, headers } = request
    const { folderId, path } = query
    const within = await importService.place(principal, params.spaceId, folderId)
    const sources = await readImportBody(headers['content-type'], request.body as unknown as Buffer, path)
    const files = await fileSources.gather(principal, sources, within)
    return { data: await importService.begin(principal, params.spaceId, folderId, files) }
  })

  app.get('/knowledge/:spaceId/imports/:importId', { schema: readImport }, async ({ principal, params }) => {
    return { data: await importService.read(principal, params.spaceId, params.importId) }
  })
}
