import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createFolder, deleteFolder, listFolders, updateFolder } from '../schemas/folders.ts'
import type { FolderService } from '../services/folders.ts'

export function folderRoutes(app: App, { folderService }: { folderService: FolderService }) {
  app.get('/knowledge/:spaceId/folders', { schema: listFolders }, ({ principal, params, query }) =>
    folderService.list(principal, params.spaceId, query)
  )

  app.post(
    '/knowledge/:spaceId/folders',
    { schema: createFolder },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await folderService.create(principal, params.spaceId, body) })
    }
  )

  app.patch('/knowledge/:spaceId/folders/:folderId', { schema: updateFolder }, async (request) => {
    const { principal, params, body } = request
    const { spaceId, folderId } = params
    return { data: await folderService.update(principal, spaceId, folderId, body, ifMatch(request)) }
  })

  app.delete('/knowledge/:spaceId/folders/:folderId', { schema: deleteFolder }, async (request) => {
    const { spaceId, folderId } = request.params
    return { data: await folderService.remove(request.principal, spaceId, folderId, ifMatch(request)) }
  })
}
