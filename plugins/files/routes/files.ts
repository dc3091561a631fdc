import type { App, Kernel, Request } from 'agent-platform'
import { invalid } from 'agent-platform'
import { readContent, readFile, uploadFile } from '../schemas.ts'
import type { FileService } from '../services/files.ts'
import type { Uploads } from '../services/uploads.ts'
import { shown } from '../services/uploads.ts'
import type { FileSettings } from '../settings.ts'
import { sendContent } from './content.ts'
import { filesOf } from './multipart.ts'

interface Deps extends Pick<Kernel, 'detach'> {
  settings: FileSettings
  fileService: FileService
  uploads: Uploads
}

const reading = { tokens: 'whole' } as const

export function fileRoutes(app: App, { settings, fileService, uploads, detach }: Deps) {
  const config = { body: 'stream', repeats: 'own' } as const
  app.post('/files/upload', { schema: uploadFile, config }, async (request, reply) => {
    const key = keyOf(request)
    const incoming = filesOf(request, settings.filesPerUpload)
    const { files, repeated } = await uploads.receive(request.principal, incoming, {
      ...(key !== undefined && { key })
    })
    if (repeated) reply.header('idempotency-replayed', 'true')
    const data = files.map(shown)
    return reply.code(201).send({ data: data.length === 1 ? data[0] : data } as never)
  })

  app.get('/files/:fileId', { schema: readFile, config: reading }, async ({ principal, params }) => {
    return { data: shown(await fileService.find(principal, params.fileId, 'read')) }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:fileId/content',
    schema: readContent,
    config: reading,
    async handler(request, reply) {
      const { principal, params } = request
      const file = await fileService.find(principal, (params as { fileId: string }).fileId, 'read')
      return sendContent(request, reply, shown(file), { fileService, detach })
    }
  })
}

function keyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
}
