import type { App } from 'agent-platform'
import { createExport, deleteExport, listExports, readExport } from './schemas/exports.ts'
import { createImport, listImports, readImport } from './schemas/imports.ts'
import type { ExportService } from './services/exports.ts'
import type { ImportService } from './services/imports.ts'

interface Deps {
  exportService: ExportService
  importService: ImportService
}

/** An agent takes nothing out of the platform by itself, and makes no other one. */
const own = { principals: ['user', 'service'] } as const
const read = { ...own, scope: ['agents:read'] } as const
const write = { ...own, scope: ['agents:write'] } as const
const exporting = { ...write, limit: 'sensitive' } as const
const importing = { ...own, scope: ['agents:create'], limit: 'sensitive' } as const

export function archiveRoutes(app: App, { exportService, importService }: Deps) {
  app.post(
    '/agents/:agentId/export',
    { schema: createExport, config: exporting },
    async ({ principal, params, body }, reply) => {
      return reply.code(202).send({ data: await exportService.create(principal, params.agentId, body ?? {}) })
    }
  )
  app.get('/agents/exports', { schema: listExports, config: read }, ({ principal, query }) =>
    exportService.list(principal, query)
  )
  app.get(
    '/agents/exports/:exportId',
    { schema: readExport, config: read },
    async ({ principal, params }) => {
      return { data: await exportService.read(principal, params.exportId) }
    }
  )
  app.delete(
    '/agents/exports/:exportId',
    { schema: deleteExport, config: write },
    async ({ principal, params }) => {
      return { data: await exportService.remove(principal, params.exportId) }
    }
  )

  app.post('/agents/import', { schema: createImport, config: importing }, async (request, reply) => {
    const { principal, query, body } = request
    if (query.dryRun) return reply.code(200).send({ data: await importService.examine(principal, body) })
    return reply.code(202).send({ data: await importService.create(principal, body) })
  })
  app.get('/agents/imports', { schema: listImports, config: read }, ({ principal, query }) =>
    importService.list(principal, query)
  )
  app.get(
    '/agents/imports/:importId',
    { schema: readImport, config: read },
    async ({ principal, params }) => {
      return { data: await importService.read(principal, params.importId) }
    }
  )
}
