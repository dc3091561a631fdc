import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Space = Schemas['KnowledgeSpace']
export type Passage = Schemas['KnowledgePassage']
export type Document = Schemas['KnowledgeDocument']
export type DocumentSummary = Schemas['KnowledgeDocumentSummary']
export type Folder = Schemas['KnowledgeFolder']
export type Graph = Schemas['KnowledgeGraph']
export type Import = Schemas['KnowledgeImport']

/** Queries of knowledge: by `['knowledge']` all of them are read anew, by `['knowledge', spaceId]` those of a space. */
export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['knowledge', spaceId, 'space'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/knowledge/{spaceId}', { params: { path: { spaceId } }, signal })).data
  })

/** All folders of a space. */
export const foldersQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['knowledge', spaceId, 'folders'],
    async queryFn({ signal }) {
      const params = { path: { spaceId }, query: { limit: 100 } }
      const folders = await Array.fromAsync(api.list('/v1/knowledge/{spaceId}/folders', { params, signal }))
      return folders.toSorted((a, b) => a.path.localeCompare(b.path))
    }
  })

export const documentQuery = (spaceId: string, documentId: string, version?: number) =>
  queryOptions({
    queryKey: ['knowledge', spaceId, 'document', documentId, version ?? 'latest'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/knowledge/{spaceId}/documents/{documentId}', {
          params: { path: { spaceId, documentId }, query: { version } },
          signal
        })
      ).data
  })

/** Of the whole space, or of one document with those it links to and that link to it. */
export const graphQuery = (spaceId: string, documentId?: string) =>
  queryOptions({
    queryKey: ['knowledge', spaceId, 'graph', documentId ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/knowledge/{spaceId}/graph', {
          params: { path: { spaceId }, query: { documentId, limit: 400 } },
          signal
        })
      ).data
  })

export const providersQuery = queryOptions({
  queryKey: ['knowledge', 'providers'],
  queryFn: async ({ signal }) =>
    (await api.get('/v1/knowledge/providers', { params: { query: { limit: 100 } }, signal })).data,
  staleTime: 60_000
})

/** Looked at again while it runs. */
export const importQuery = (spaceId: string, importId: string) =>
  queryOptions({
    queryKey: ['knowledge', spaceId, 'import', importId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/knowledge/{spaceId}/imports/{importId}', {
          params: { path: { spaceId, importId } },
          signal
        })
      ).data,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false)
  })
