import type { App } from 'agent-platform'
import { readFile, writeFiles } from '../schemas/files.ts'
import type { FileService } from '../services/files.ts'

/** 64 MiB of content, in base64. */
const WRITE_BYTES = 94_371_840

export function fileRoutes(app: App, { fileService }: { fileService: FileService }) {
  const path = '/agents/:agentId/computer/files'

  const read = { scope: ['agents:read'] }
  app.get(`${path}/read`, { schema: readFile, config: read }, async ({ principal, params, query }) => {
    return { data: await fileService.read(principal, params.agentId, query) }
  })

  const write = { scope: ['agents:write'], bodyLimit: WRITE_BYTES }
  app.post(`${path}/write`, { schema: writeFiles, config: write }, async ({ principal, params, body }) => {
    return { data: await fileService.write(principal, params.agentId, body) }
  })
}
