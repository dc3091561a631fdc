import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createDocument,
  deleteDocument,
  listDocuments,
  readDocument,
  updateDocument
} from '../schemas/documents.ts'
import type { DocumentService } from '../services/documents.ts'

const PATH = '/knowledge/:spaceId/documents'

export function documentRoutes(app: App, { documentService }: { documentService: DocumentService }) {
  app.get(PATH, { schema: listDocuments }, ({ principal, params, query }) =>
    documentService.list(principal, params.spaceId, query)
  )

  app.post(PATH, { schema: createDocument }, async ({ principal, params, body }, reply) => {
    return reply.code(201).send({ data: await documentService.create(principal, params.spaceId, body) })
  })

  app.get(`${PATH}/:documentId`, { schema: readDocument }, async ({ principal, params, query }) => {
    const { spaceId, documentId } = params
    return { data: await documentService.read(principal, spaceId, documentId, query.version) }
  })

  app.patch(`${PATH}/:documentId`, { schema: updateDocument }, async (request) => {
    const { principal, params, body } = request
    const { spaceId, documentId } = params
    return { data: await documentService.update(principal, spaceId, documentId, body, ifMatch(request)) }
  })

  app.delete(`${PATH}/:documentId`, { schema: deleteDocument }, async (request) => {
    const { spaceId, documentId } = request.params
    return { data: await documentService.remove(request.principal, spaceId, documentId, ifMatch(request)) }
  })
}
